// as alone, of even number, as by Huang et al. (2410.02140)
#alphabet "a" "b"
D = i % 2 == 1 && # "b" == 0
