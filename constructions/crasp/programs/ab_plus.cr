// (ab)+: a b behind each a, and an a behind each b
#import pred
wrong = ("a" && #[pred] "a" == 1) || ("b" && #[pred] "a" == 0)
D = # wrong == 0 && "b"
