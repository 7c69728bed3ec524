// balanced brackets, as in section 4 of Yang and Chiang (2404.04393)
opened = # "("
closed = # ")"
broken = closed > opened
D = opened == closed && # broken == 0
