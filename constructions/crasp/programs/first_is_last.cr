// the first symbol is the last one, too
first = # true == 1
D = ("a" && # (first && "a") == 1) || ("b" && # (first && "b") == 1)
