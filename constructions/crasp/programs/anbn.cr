// as, then as many bs
late = "a" && # "b" > 0
D = # late == 0 && # "a" == # "b"
