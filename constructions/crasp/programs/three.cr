// at least three as
#alphabet "a" "b"
D = # "a" >= 3
