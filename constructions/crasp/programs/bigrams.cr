// aa is there more often than bb
D = # ("a" && #[j == i - 1] "a" == 1) > # ("b" && #[j == i - 1] "b" == 1)
