"""Which packages there are. All else about the package is in pyproject.toml.

The rooms stand at the top level of the repository and are packages of `weightproof`. There they are symbolic links that
an import from a checkout follows. They are packed from where they stand, so that a checkout without links will do.
"""

from setuptools import find_packages, setup

ROOMS = ("constructions", "symbolic", "proofs", "numeric")
FRONT = find_packages(include=["weightproof", "weightproof.*"], exclude=[f"weightproof.{r}*" for r in ROOMS])
BEHIND = find_packages(include=[pattern for room in ROOMS for pattern in (room, f"{room}.*")])

setup(
    packages=[*FRONT, *(f"weightproof.{name}" for name in BEHIND)],
    package_dir={f"weightproof.{room}": room for room in ROOMS},
)
