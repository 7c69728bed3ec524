"""The experiments of Nowak et al. (2022), section 4.2: what is not as in print."""

APART = (
    "Attention has no biases; those of PyTorch's, which the authors' code has, begin at 0.",
    "The text that is held here prints epsilon as 10^-1; 10^-5, as in the files of the authors' runs.",
    "Every seed has its own initial weights; the authors' code sets torch's seed to 0 for each network, so that all "
    "their runs begin with the same.",
)
"""The authors' code and files: github.com/giacomocamposampiero/palindrome-transformer."""
