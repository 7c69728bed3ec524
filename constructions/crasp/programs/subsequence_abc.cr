// an a, somewhere behind it a b, and somewhere behind that a c
ab = "b" && # "a" > 0
abc = "c" && # ab > 0
D = # abc > 0
