// two thirds of the symbols are as, or more
#alphabet "a" "b" "c"
D = 3 * # "a" >= 2 * # true
