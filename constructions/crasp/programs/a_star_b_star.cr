// no a behind a b
D = # ("a" && #[j < i] "b" > 0) == 0
