// more as than bs at the first, the third, the fifth position, and so on
odd = i % 2 == 0
D = # (odd && "a") > # (odd && "b")
