"""`python -m weightproof` is the command `weightproof`."""

import sys

from weightproof.cli import main

sys.exit(main())
