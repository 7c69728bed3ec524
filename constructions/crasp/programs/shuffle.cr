// two kinds of brackets, each balanced by itself
broken = # ")" > # "(" || # "]" > # "["
D = # broken == 0 && # "(" == # ")" && # "[" == # "]"
