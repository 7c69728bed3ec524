// more 1s than 0s
D = # "1" > # "0"
