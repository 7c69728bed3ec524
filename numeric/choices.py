"""What the numeric readings are called where they refuse a choice of the schema that they do not know."""

from weightproof.constructions.choices import Choices

MODEL = Choices("the PyTorch model")
STRICT = Choices("the strict model")
BOUND = Choices("the bound on rounding")
