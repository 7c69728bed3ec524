// a b right behind an a
#import pred
here = "b" && #[pred] "a" == 1
D = # here >= 1
