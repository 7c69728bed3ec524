// four bits, the least first, and the number after theirs, in four
#import pred4
carry = # "1" - (1 if "1" else 0) == # true - 1
next = (carry && "0") || (!carry && "1")
right = ("1" && #[pred4] next == 1) || ("0" && #[pred4] !next == 1)
D = # right == 4 && # true == 8
