"""AdderBoard (github.com/anadim/AdderBoard), a contest of decoders that add two numbers of ten digits: entries whose
weights are set by hand, one a file, in real numbers.
"""
