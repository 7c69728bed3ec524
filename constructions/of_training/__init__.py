"""Networks that training found (see docs/training.md), every weight as it ended with."""
