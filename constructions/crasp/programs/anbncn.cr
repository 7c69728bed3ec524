// as, as many bs, then as many cs
late = ("a" && # ("b" || "c") > 0) || ("b" && # "c" > 0)
D = # late == 0 && # "a" == # "b" && # "b" == # "c"
