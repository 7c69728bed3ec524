"""The same constructions as PyTorch modules, in floating point."""

import os

# torch's threads wait for each other in a busy loop, which on a machine with other work costs far more than it saves;
# this has to be said before torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
