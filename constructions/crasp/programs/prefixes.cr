// no more bs than as in any prefix
D = # (# "b" > # "a") == 0
