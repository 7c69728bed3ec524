"""A parameter given a value for good, as c = 1 in Chiang and Cholak (2022), section 5.3."""

from __future__ import annotations

import functools
from dataclasses import replace

from weightproof.constructions.meaning.construction import Construction
from weightproof.constructions.meaning.running import value_of
from weightproof.constructions.scalars.expressions import Expression
from weightproof.constructions.transforms.rewriting import Refused, encoder_of, put, rewritten


def fix(construction: Construction, values: dict[str, Expression]) -> Construction:
    """values: a parameter's name -> its exact value.

    Refused where there is no such parameter, or where the language depends on it; InputError outside its domain.
    """
    network, parameters = encoder_of(construction), {parameter.name: parameter for parameter in construction.parameters}
    for name, value in values.items():
        if name not in parameters:
            raise Refused(f"no parameter {name!r}; there are {', '.join(parameters) or 'none'}")
        if name in construction.language.characterisation.names:
            raise Refused(f"the language {construction.language.name} depends on {name}")
        value_of(parameters[name], value)
        network = rewritten(network, functools.partial(put, name=name, value=Expression(f"({value})")))
    left = tuple(parameter for parameter in construction.parameters if parameter.name not in values)
    return replace(construction, network=network, parameters=left)
