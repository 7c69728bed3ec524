// balanced brackets, nested at most three deep
depth(i) = # [j <= i] Q_((j) - # [j <= i] Q_)(j)
broken(i) = depth(i) < 0 || depth(i) > 3
D(i) = # [j <= i] broken(j) == 0 && depth(i) == 0
