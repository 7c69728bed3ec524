"""The same constructions as PyTorch modules, in floating point."""

import os

from weightproof.constructions.meaning.choices import Choices

# torch's threads wait for each other in a busy loop, which on a machine with other work costs far more than it saves;
# this has to be said before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# What the readings are called where they refuse a choice of the schema that they do not know.
MODEL = Choices("the PyTorch model")
STRICT = Choices("the strict model")
BOUND = Choices("the bound on rounding")
