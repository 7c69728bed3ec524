"""Weightproof, as Python code uses it: `import weightproof as wp`.

The parts of a construction, the theorems about it, and the commands as functions. A name is loaded when it is first
used, so that importing the package takes no time.
"""

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if _missing := [
    room for room in ("constructions", "symbolic", "proofs", "numeric") if not (Path(__file__).parent / room).is_dir()
]:
    sys.tracebacklimit = 0  # the line says all there is to say
    raise ImportError(
        f"{Path(__file__).parent}: {', '.join(_missing)} should be symbolic links to folders, and are none in this "
        "checkout; run: git config core.symlinks true && git checkout -- weightproof"
    )

if TYPE_CHECKING:
    from weightproof.changing.ablating import ablate as ablate
    from weightproof.changing.repairing import repair as repair
    from weightproof.changing.thresholds import threshold as threshold
    from weightproof.constructions.claims import statements as statements
    from weightproof.constructions.claims.published import Claims as Claims
    from weightproof.constructions.claims.published import Published as Published
    from weightproof.constructions.claims.published import Reading as Reading
    from weightproof.constructions.claims.published import Slip as Slip
    from weightproof.constructions.languages.transducers import Track as Track
    from weightproof.constructions.languages.transducers import Transducer as Transducer
    from weightproof.constructions.library import names as names
    from weightproof.constructions.machines.rnn import RNN as RNN
    from weightproof.constructions.machines.turing import Transition as Transition
    from weightproof.constructions.machines.turing import TuringMachine as TuringMachine
    from weightproof.constructions.meaning.construction import Construction as Construction
    from weightproof.constructions.meaning.construction import Language as Language
    from weightproof.constructions.meaning.construction import Parameter as Parameter
    from weightproof.constructions.meaning.inputs import ConstructionError as ConstructionError
    from weightproof.constructions.meaning.inputs import InputError as InputError
    from weightproof.constructions.meaning.schema import Decoder as Decoder
    from weightproof.constructions.meaning.schema import Embedding as Embedding
    from weightproof.constructions.meaning.schema import Encoder as Encoder
    from weightproof.constructions.meaning.schema import EncoderDecoder as EncoderDecoder
    from weightproof.constructions.meaning.schema import FeedForward as FeedForward
    from weightproof.constructions.meaning.schema import Head as Head
    from weightproof.constructions.meaning.schema import Layer as Layer
    from weightproof.constructions.meaning.schema import LayerNorm as LayerNorm
    from weightproof.constructions.meaning.schema import Linear as Linear
    from weightproof.constructions.meaning.schema import Readout as Readout
    from weightproof.constructions.meaning.schema import RootMeanSquare as RootMeanSquare
    from weightproof.constructions.meaning.schema import Rotary as Rotary
    from weightproof.imports.importing import Imported as Imported
    from weightproof.imports.importing import from_torch as from_torch
    from weightproof.interface import claims as claims
    from weightproof.interface import derive as derive
    from weightproof.interface import export as export
    from weightproof.interface import load as load
    from weightproof.interface import precision as precision
    from weightproof.interface import prove as prove
    from weightproof.interface import replay as replay
    from weightproof.interface import run as run
    from weightproof.interface import show as show
    from weightproof.interface import site as site
    from weightproof.interface import transformed as transformed
    from weightproof.learning.learning import learn as learn
    from weightproof.numeric.decoding.networks import DecoderTransformer as DecoderTransformer
    from weightproof.numeric.decoding.networks import EncoderDecoderTransformer as EncoderDecoderTransformer
    from weightproof.numeric.model.transformer import Transformer as Transformer
    from weightproof.proofs.theorem import Appends as Appends
    from weightproof.proofs.theorem import ClosedForm as ClosedForm
    from weightproof.proofs.theorem import Compares as Compares
    from weightproof.proofs.theorem import Computes as Computes
    from weightproof.proofs.theorem import Decides as Decides
    from weightproof.proofs.theorem import Margin as Margin
    from weightproof.proofs.theorem import Predicts as Predicts
    from weightproof.proofs.verdict import Proved as Proved
    from weightproof.proofs.verdict import Refuted as Refuted
    from weightproof.proofs.verdict import Unknown as Unknown

_PLACES = {
    "changing.ablating": "ablate",
    "changing.thresholds": "threshold",
    "constructions.claims.published": "Claims Published Reading Slip",
    "constructions.languages.transducers": "Track Transducer",
    "constructions.library": "names",
    "constructions.machines.rnn": "RNN",
    "constructions.machines.turing": "Transition TuringMachine",
    "constructions.meaning.construction": "Construction Language Parameter",
    "constructions.meaning.inputs": "ConstructionError InputError",
    "constructions.meaning.schema": "Decoder Embedding Encoder EncoderDecoder FeedForward Head Layer LayerNorm "
    "Linear Readout RootMeanSquare Rotary",
    "imports.importing": "Imported from_torch",
    "interface": "claims derive export load precision prove replay run show site transformed",
    "learning.learning": "learn",
    "numeric.decoding.networks": "DecoderTransformer EncoderDecoderTransformer",
    "numeric.model.transformer": "Transformer",
    "proofs.theorem": "Appends ClosedForm Compares Computes Decides Margin Predicts",
    "proofs.verdict": "Proved Refuted Unknown",
    "changing.repairing": "repair",
}
"""Module -> what is taken from it."""
_MODULES = {"statements": "constructions.claims.statements"}
"""What keeps its names to itself: a statement of print and a theorem may have the same one."""
_PLACE = {name: place for place, names_there in _PLACES.items() for name in names_there.split()}

_NAMES = frozenset([*_PLACE, *_MODULES])
_WITH_TORCH = frozenset(name for name, place in _PLACE.items() if place.startswith(("numeric.", "imports.")))
__all__ = sorted(_NAMES - _WITH_TORCH - {"claims"})
"""What `from weightproof import *` takes: not what loads PyTorch, and not the function that is called as a file calls
what it claims."""


if not TYPE_CHECKING:  # type checkers read the imports above, and would take any name for one that is there

    def __getattr__(name: str) -> Any:
        if name not in _NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        from weightproof.extras import told

        with told():
            if name in _MODULES:
                found: Any = importlib.import_module(f"{__name__}.{_MODULES[name]}")
            else:
                found = getattr(importlib.import_module(f"{__name__}.{_PLACE[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})
