"""What is proved of the networks of Chiang and Cholak (2022)."""
