// a word of four symbols twice
#alphabet "a" "b" "c" "d"
#import pred4
same = ("a" && #[pred4] "a" == 1) || ("b" && #[pred4] "b" == 1) || ("c" && #[pred4] "c" == 1)
D = # same == 4 && # true == 8
