"""Fields that read what is written into them, as the reference has them: with the type that they hold, and the value
that is written where none is given."""

from __future__ import annotations

from typing import Any

import griffe

from weightproof.constructions.scalars.frozen import Written


class Fields(griffe.Extension):
    """Of ``x: Written[T] = Written(read, default)`` it leaves ``x: T = default``."""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **kwargs: Any) -> None:
        value, annotation = attr.value, attr.annotation
        if isinstance(value, griffe.ExprCall) and str(value.function) == Written.__name__:
            _, *default = value.arguments
            attr.value = default[0] if default else None
        if isinstance(annotation, griffe.ExprSubscript) and str(annotation.left) == Written.__name__:
            attr.annotation = annotation.slice
