// numbers of as and bs that differ by at most 2
a = # "a"
b = # "b"
D = max(a, b) - min(a, b) <= 2
