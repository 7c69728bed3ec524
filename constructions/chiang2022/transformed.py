"""How sections 4 and 5.3 of Chiang and Cholak (2022) transform the constructions; written as on the command line."""

UNCENTRED = ("remove-centering",)
"""Section 4.1, before there are norms."""
NORMALISED = ("remove-centering", "layer-norm")
"""Section 4.1, for every epsilon >= 0."""
EXACTLY = ("remove-centering", "layer-norm:epsilon=0")
SCALED = ("scale-activations",)
"""Appendix B, which has one positive number for each layer."""
SHARPEN = "sharpen"
"""Proposition 2, for every eta > 0."""
GROWING = ("fix:c=1", "scale-attention-by-log-length")
"""Section 5.3."""
FIRST_REPAIRED = "set-weight:layer=2,head=1,part=W_V,row=s,column=[w=CLS],to=-1/4"
PARITY_REPAIRED = "set-weight:layer=2,head=2,part=W_V,row=s,column=[i=k]/n,to=-(1 + exp(2*c))/2"
"""Not in the paper: one weight, with which the empty word has a logit below 0."""
