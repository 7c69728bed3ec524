"""Finds constructions: the built-in ones by name, a user's own by file. Nothing else is ever loaded, and what checks
claims only where there are some.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import runpy
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weightproof.constructions.circuits.circuit import Circuit, CircuitNetwork
from weightproof.constructions.circuits.family import Family as DecoderFamily
from weightproof.constructions.languages.membership import check_membership
from weightproof.constructions.machines.numbered import every_rnn
from weightproof.constructions.machines.rnn import RNN
from weightproof.constructions.machines.simulation import MachineNetwork, Simulation
from weightproof.constructions.machines.turing import TuringMachine
from weightproof.constructions.meaning.construction import Construction, Language
from weightproof.constructions.meaning.inputs import ConstructionError, InputError, said
from weightproof.constructions.modular.addition import Adder, Modulus
from weightproof.constructions.modular.counting import Units
from weightproof.constructions.modular.family import Family
from weightproof.constructions.scalars.fixed_point import FixedPoint
from weightproof.constructions.scalars.work import Stopped
from weightproof.constructions.transforms.by_name import transformed

if TYPE_CHECKING:
    from weightproof.constructions.claims.published import Claims, Printed
    from weightproof.constructions.entry import Entry

BUILT_IN: dict[str, tuple[str, str]] = {
    "parity": ("chiang2022.parity", "construction"),
    "first": ("chiang2022.first", "construction"),
    "first-one-layer": ("chiang2022.first_one_layer", "construction"),
    "one": ("nowak2022.one", "construction"),
    "palindrome": ("nowak2022.palindrome", "construction"),
    "palindrome-as-printed": ("nowak2022.palindrome", "as_printed"),
    "palindrome-margin": ("nowak2022.palindrome", "with_margin"),
    "palindrome-isometric": ("nowak2022.palindrome_isometric", "construction"),
    "dyck1": ("steffen2022.dyck1", "construction"),
    "dyck1-margin": ("steffen2022.dyck1", "with_margin"),
    "dyck1-depth": ("steffen2022.dyck1_depth", "construction"),
    "dyck1-depth-margin": ("steffen2022.dyck1_depth", "with_margin"),
}
"""Name -> module of this package, attribute: the networks that read out a logit."""
PREDICTORS: dict[str, tuple[str, str]] = {
    "noisy-majority": ("fraknoi2024.noisy_majority", "construction"),
    "noisy-majority-as-printed": ("fraknoi2024.noisy_majority", "as_printed"),
    "noisy-majority-silent-2": ("fraknoi2024.noisy_majority", "with_silent_2"),
    "noisy-majority-end": ("fraknoi2024.noisy_majority", "end"),
    "noisy-majority-end-as-printed": ("fraknoi2024.noisy_majority", "end_as_printed"),
    "noisy-majority-end-silent-2": ("fraknoi2024.noisy_majority", "end_with_silent_2"),
}
"""The same of those that predict a token or a class."""
APART: dict[str, tuple[str, str]] = {
    "parity-uniform": ("kozachinskiy2025.parity_uniform", "construction"),
    "parity-uniform-hard": ("kozachinskiy2025.parity_uniform_hard", "construction"),
    "parity-uniform-scaled": ("kozachinskiy2025.parity_uniform_hard", "scaled"),
    "parity-causal": ("kozachinskiy2026.parity_causal", "construction"),
    "ordered": ("vandoornmalen2026.ordered", "construction"),
    "ordered-as-printed": ("vandoornmalen2026.ordered", "as_printed"),
    "ordered-exchanged": ("vandoornmalen2026.ordered", "exchanged"),
    "parity-2-heads": ("rajaraman2026.parity_heads", "of_two"),
    "parity-3-heads": ("rajaraman2026.parity_heads", "of_three"),
}
"""The same of networks that read out a logit and that the derivation does not reach, or that are about words of one
length: what is proved of them is shown by automata, up to a length, or of that length. Reached by name, and not among
all that is derived and measured at once."""
CONTEST: dict[str, tuple[str, str]] = {
    "zcbtrak-6": ("adderboard.zcbtrak_6", "construction"),
    "kswain98-8": ("adderboard.kswain98_8", "construction"),
    "lokimorty-10": ("adderboard.lokimorty_10", "construction"),
    "lokimorty-12": ("adderboard.lokimorty_12", "construction"),
    "yieldthought-20": ("adderboard.yieldthought_20", "construction"),
    "wonderfall-27": ("adderboard.wonderfall_27", "construction"),
    "jacobli99-28": ("adderboard.jacobli99_28", "construction"),
    "fblissjr-33": ("adderboard.fblissjr_33", "construction"),
    "alexlitz-36": ("adderboard.alexlitz_36", "construction"),
    "lichengliu03-50": ("adderboard.lichengliu03_50", "construction"),
    "cosminscn-66": ("adderboard.cosminscn_66", "construction"),
    "bingbangboom-lab-87": ("adderboard.bingbangboom_lab_87", "construction"),
    "jacobli99-93": ("adderboard.jacobli99_93", "construction"),
    "nino-116": ("adderboard.nino_116", "construction"),
    "wonderfall-121": ("adderboard.wonderfall_121", "construction"),
    "cosminscn-130": ("adderboard.cosminscn_130", "construction"),
    "wonderfall-130": ("adderboard.wonderfall_130", "construction"),
    "wonderfall-139": ("adderboard.wonderfall_139", "construction"),
    "bingbangboom-lab-148": ("adderboard.bingbangboom_lab_148", "construction"),
    "xangma-177": ("adderboard.xangma_177", "construction"),
    "xangma-197": ("adderboard.xangma_197", "construction"),
}
"""The same of entries of a contest, the smallest first: reached by name, and not among all that is proved and measured
at once, since each takes up to a minute."""
RECIPES: dict[str, tuple[str, str]] = {
    "cookbook-and": ("yang2025cookbook.boolean_functions", "conjoined"),
    "cookbook-or": ("yang2025cookbook.boolean_functions", "disjoined"),
    "cookbook-not": ("yang2025cookbook.boolean_functions", "negated"),
    "cookbook-xor": ("yang2025cookbook.boolean_functions", "construction"),
    "cookbook-xor-as-printed": ("yang2025cookbook.boolean_functions", "as_printed"),
    "cookbook-most": ("yang2025cookbook.boolean_functions", "majority"),
    "cookbook-min": ("yang2025cookbook.min_and_max", "construction"),
    "cookbook-max": ("yang2025cookbook.min_and_max", "greatest"),
    "cookbook-conditional": ("yang2025cookbook.if_then_else", "construction"),
    "cookbook-conditional-as-printed": ("yang2025cookbook.if_then_else", "as_printed"),
    "cookbook-conditional-as-first-printed": ("yang2025cookbook.if_then_else", "as_first_printed"),
    "cookbook-piecewise-linear": ("yang2025cookbook.piecewise_linear", "construction"),
    "cookbook-piecewise-linear-as-first-printed": ("yang2025cookbook.piecewise_linear", "as_first_printed"),
    "cookbook-positive": ("yang2025cookbook.comparing_counts", "positive"),
    "cookbook-zero": ("yang2025cookbook.comparing_counts", "zero"),
    "cookbook-at-most": ("yang2025cookbook.comparing_counts", "construction"),
    "cookbook-at-most-as-stated": ("yang2025cookbook.comparing_counts", "as_stated"),
    "cookbook-at-most-as-printed": ("yang2025cookbook.comparing_counts", "as_printed"),
    "cookbook-count": ("yang2025cookbook.counting_by_attention", "construction"),
    "cookbook-inverse-length": ("yang2025cookbook.counting_by_attention", "inverse_length"),
    "cookbook-subtract": ("yang2025cookbook.canceling_residuals", "difference"),
    "cookbook-replace": ("yang2025cookbook.canceling_residuals", "construction"),
    "cookbook-hash": ("yang2025cookbook.layer_norm_hash", "construction"),
    "cookbook-hash-product": ("yang2025cookbook.layer_norm_hash", "product"),
    "cookbook-lookup": ("yang2025cookbook.table_lookup", "construction"),
    "cookbook-lookup-scaled-keys": ("yang2025cookbook.table_lookup", "scaled_keys"),
    "cookbook-lookup-distance": ("yang2025cookbook.table_lookup", "by_size"),
    "cookbook-lookup-hash": ("yang2025cookbook.table_lookup", "hashed"),
    "cookbook-predecessor": ("yang2025cookbook.predecessor_head", "construction"),
    "cookbook-predecessor-turning": ("yang2025cookbook.predecessor_head", "turning"),
    "cookbook-predecessor-as-printed": ("yang2025cookbook.predecessor_head", "unmasked"),
    "cookbook-first": ("yang2025cookbook.tie_breaking", "first"),
    "cookbook-last": ("yang2025cookbook.tie_breaking", "construction"),
    "cookbook-first-place": ("yang2025cookbook.tie_breaking", "first_by_place"),
    "cookbook-last-place": ("yang2025cookbook.tie_breaking", "last_by_place"),
    "cookbook-trigram": ("yang2025cookbook.n_grams", "construction"),
    "cookbook-trigram-as-printed": ("yang2025cookbook.n_grams", "as_printed"),
    "cookbook-mod": ("yang2025cookbook.mod_by_lookup", "construction"),
    "cookbook-mod-position": ("yang2025cookbook.mod_by_lookup", "of_length"),
    "cookbook-induction": ("yang2025cookbook.induction_head", "construction"),
    "cookbook-dyck-2-2": ("yang2025cookbook.dyck_k_d", "construction"),
}
"""The same of small networks that try a recipe, a part of networks, on words: reached by name, and not among all."""
TRAINED: dict[str, tuple[str, str]] = {
    "trained-first": ("of_training.first", "construction"),
    "trained-parity": ("of_training.parity", "construction"),
    "trained-majority": ("of_training.majority", "construction"),
    "trained-majority-1-bit": ("of_training.majority_1_bit", "construction"),
}
"""The same of networks that training found: reached by name, and not among all."""

MACHINE_NETWORK = ("siegelmann1992.machine_network", "machine_network")
"""The module and the function that make a recurrent network of a Turing machine."""
FAMILIES: dict[str, tuple[str, str]] = {
    "rnn-by-encoder-decoder": ("bhattamishra2020.encoder_decoder", "rnn_by_encoder_decoder"),
    "rnn-by-directional": ("bhattamishra2020.directional", "rnn_by_directional"),
}
"""Name -> module and function that make a transformer of a recurrent network."""
AS_PRINTED: dict[str, tuple[str, str]] = {
    "rnn-by-encoder-decoder-as-printed": ("bhattamishra2020.encoder_decoder", "as_printed"),
    "rnn-by-directional-as-printed": ("bhattamishra2020.directional", "as_printed"),
}
"""Those that do not simulate every one of them, as their source says."""
CIRCUITS: dict[str, tuple[str, str]] = {
    "circuit-by-decoder": ("fraknoi2024.circuit_by_decoder", "circuit_by_decoder"),
    "circuit-by-decoder-as-printed": ("fraknoi2024.circuit_by_decoder", "as_printed"),
}
"""Name -> module and attribute of families of decoders, one for each Boolean circuit and format."""
CIRCUITS_AS_PRINTED = ("circuit-by-decoder-as-printed",)
"""Those of them that do not compute every circuit, as their source says."""
ADDERS: dict[str, tuple[str, str]] = {
    "modular-addition": ("fraknoi2024.modular_addition", "modular_addition"),
    "modular-addition-uncorrected": ("fraknoi2024.modular_addition", "uncorrected"),
    "modular-addition-any-frequency": ("fraknoi2024.modular_addition", "any_frequency"),
}
"""Name -> module and attribute of families of networks that add, one for each modulus with frequencies."""
COUNTERS: dict[str, tuple[str, str]] = {
    "parity-feed-forward": ("chiang2022.parity_feed_forward", "units"),
}
"""Name -> module and attribute of feed-forward networks, one for each length."""
COMPONENTS = "bhattamishra2020.components"
"""The file of theorems about what a transformer does without one of its components."""

FORMULAS: dict[str, tuple[str, str]] = {
    "fraknoi2024-formulas": ("fraknoi2024.formulas", "printed"),
    "nowak2022-formulas": ("nowak2022.formulas", "printed"),
    "steffen2022-formulas": ("steffen2022.formulas", "printed"),
    "bhattamishra2020-formulas": ("bhattamishra2020.formulas", "printed"),
    "chiang2022-feed-forward": ("chiang2022.feed_forward_claims", "printed"),
}
"""Name -> module and attribute of what is printed in formulas that are about no network of these."""
CLAIMED_OF_TRANSFORMED = ("chiang2022.transformed_claims", "steffen2022.cross_entropy_claims")
"""The files of what is claimed in print of transformed constructions."""


@dataclass(frozen=True)
class UserFile:
    """What a user's file defines: its construction, its theorems where it has any (None: the default ones), and what
    is claimed about it in print."""

    path: Path
    construction: Construction
    theorems: tuple[Any, ...] | None
    claims: Claims | None = None


def module_of(name: str) -> tuple[str, str]:
    """The module of a built-in construction, as chiang2022.parity, in which its theorems stand, too, and its name
    there; InputError if there is none of that name."""
    known = BUILT_IN | PREDICTORS | APART | CONTEST | RECIPES | TRAINED
    if name not in known:
        from difflib import get_close_matches

        near = " or ".join(map(repr, get_close_matches(name, known)))
        hint = f"did you mean {near}? " if near else ""
        raise InputError(f"unknown construction {name!r}; {hint}weightproof list has all names (or name a FILE.py)")
    return known[name]


def names() -> tuple[str, ...]:
    """Those of the networks that read out a logit."""
    return tuple(BUILT_IN)


def predictors() -> tuple[str, ...]:
    """Those of the networks that predict a token or a class."""
    return tuple(PREDICTORS)


def apart() -> tuple[str, ...]:
    """Those of the networks that the derivation does not reach, or that are about words of one length."""
    return tuple(APART)


def of_papers() -> tuple[str, ...]:
    """All networks that papers describe: those that read out a logit, those that predict, and those apart."""
    return (*names(), *predictors(), *apart())


def entries() -> tuple[str, ...]:
    """Those of the networks that were entered in a contest."""
    return tuple(CONTEST)


def recipes() -> tuple[str, ...]:
    """Those of the networks that try a recipe."""
    return tuple(RECIPES)


def trained() -> tuple[str, ...]:
    """Networks that training found."""
    return tuple(TRAINED)


def entry_of(name: str) -> Entry:
    """What the contest says of an entry."""
    entry: Entry = _imported(CONTEST[name][0], "entry")
    return entry


def load(name: str) -> Construction:
    """The built-in construction of that name; InputError if there is none."""
    construction: Construction = _imported(*module_of(name))
    return construction


def network_of(machine: TuringMachine) -> MachineNetwork:
    """The recurrent network that runs a machine."""
    network: MachineNetwork = _imported(*MACHINE_NETWORK)(machine)
    return network


def simulation_of(family: str, network: RNN) -> Simulation:
    """The transformer of a family, of FAMILIES or AS_PRINTED, for a recurrent network."""
    simulation: Simulation = _imported(*(FAMILIES | AS_PRINTED)[family])(network)
    return simulation


def circuit_network_of(family: str, circuit: Circuit, format: FixedPoint | None = None) -> CircuitNetwork:
    """The decoder of a family of CIRCUITS for a circuit, in a format, its own if none is given."""
    return circuits_of(family)(circuit, format)


def circuits_of(family: str) -> DecoderFamily:
    """A family of CIRCUITS."""
    decoders: DecoderFamily = _imported(*CIRCUITS[family])
    return decoders


def adders_of(family: str) -> Family:
    """A family of ADDERS."""
    adders: Family = _imported(*ADDERS[family])
    return adders


def adder_of(family: str, modulus: Modulus) -> Adder:
    """The network of a family of ADDERS for a modulus; InputError where it cannot have its frequencies."""
    return adders_of(family)(modulus)


def units_of(family: str) -> Units:
    """The units of a family of COUNTERS."""
    units: Units = _imported(*COUNTERS[family])
    return units


def _imported(module: str, attribute: str) -> Any:
    return getattr(importlib.import_module(f"weightproof.constructions.{module}"), attribute)


def printed_of(name: str) -> Printed | None:
    """What is printed in formulas, under one of the names of FORMULAS, or about a family of CIRCUITS, FAMILIES or
    AS_PRINTED; None where nothing is, as print speaks of what is printed."""
    from weightproof.constructions.claims.circuits import Circuital
    from weightproof.constructions.claims.formulas import Formulaic
    from weightproof.constructions.claims.problems import check_claims
    from weightproof.constructions.claims.published import Printed
    from weightproof.constructions.claims.statement import Topic
    from weightproof.constructions.claims.stepwise import OfEvery, of_every

    if name in FORMULAS:
        printed: Printed = _imported(*FORMULAS[name])
        check_claims(printed.claims, Topic("formulas", Formulaic, (name,)))
        return printed
    if name in CIRCUITS:
        claims: Claims = _imported(f"{CIRCUITS[name][0]}_claims", "claims")
        check_claims(claims, Topic("circuits", Circuital, tuple(CIRCUITS)))
        if claims.construction != name:
            return None
        return Printed(circuits_of(name).title, circuits_of(name).source, claims)
    if name not in AS_PRINTED:
        return None
    claims = of_every(_imported(f"{AS_PRINTED[name][0]}_claims", "claims"))
    check_claims(claims, Topic("transformers for every recurrent network", OfEvery, tuple(FAMILIES | AS_PRINTED)))
    smallest = simulation_of(name, every_rnn(1, 1, 1))
    return Printed(smallest.title, smallest.source, claims)


def paper_of(name: str, transforms: tuple[str, ...] = ()) -> str:
    """The folder of the paper that it is from, and in which what is claimed about it is printed: chiang2022, for
    instance. KeyError for what is from no paper."""
    if not transforms:
        networks = BUILT_IN | PREDICTORS | APART | FAMILIES | AS_PRINTED | CIRCUITS | ADDERS | COUNTERS
        module, _ = (networks | FORMULAS)[name]
    else:
        printed = {module: _claimed(module) for module in CLAIMED_OF_TRANSFORMED}
        about = (name, transforms)
        found = [m for m, each in printed.items() if about in [(c.construction, c.transforms) for c in each]]
        if not found:
            raise KeyError(about)
        module = found[0]
    return module.partition(".")[0]


def claims_of_transformed() -> tuple[Claims, ...]:
    """What is claimed in print of built-in constructions after transformations, in the order of the files."""
    return tuple(claims for module in CLAIMED_OF_TRANSFORMED for claims in _claimed(module))


def load_claims(name: str, transforms: tuple[str, ...] = ()) -> Claims | None:
    """What is claimed in print about a built-in construction, after the transformations asked for; None where nothing
    is."""
    from weightproof.constructions.claims.problems import check_claims

    construction, known = load(name), BUILT_IN | PREDICTORS | APART
    printed = claims_of_transformed() if transforms else _claimed(f"{known[name][0]}_claims")
    beside = [each for each, (module, _) in known.items() if module == known[name][0]]
    about = [claims for claims in printed if (claims.construction, claims.transforms) == (name, transforms)]
    for claims in (*about, *(each for each in printed if not transforms and each.construction not in beside)):
        check_claims(claims, transformed(construction, transforms))
    if len(about) > 1:
        raise ConstructionError(f"{construction.name}: what is claimed about it stands in more than one list")
    return about[0] if about else None


def _claimed(module: str) -> tuple[Claims, ...]:
    """What a file of claims holds; nothing where there is no such file."""
    if importlib.util.find_spec(f"weightproof.constructions.{module}") is None:
        return ()
    claims: Claims | tuple[Claims, ...] = _imported(module, "claims")
    return claims if isinstance(claims, tuple) else (claims,)


def load_file(path: Path, text: str | None = None) -> UserFile:
    """Run a user's Python file and take what it defines; InputError says in one line what is wrong.

    The file is executed: it is code that the user named and trusts. text: what is run in place of what it holds.
    """
    scope = _executed(path, text)
    construction = scope.get("construction")
    if "construction" not in scope:
        raise InputError(f"{path}: defines no 'construction'; write construction = Construction(...)")
    if not isinstance(construction, Construction):
        raise InputError(f"{path}: 'construction' is of type {type(construction).__name__}, not a Construction")
    theorems = scope.get("theorems")
    if theorems is not None and not isinstance(theorems, tuple | list):
        raise InputError(f"{path}: 'theorems' is of type {type(theorems).__name__}, not a tuple of theorems")
    if theorems is not None and not theorems:
        raise InputError(f"{path}: 'theorems' is empty; leave it out to prove that the language is recognised")
    try:
        check_membership(construction)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    claims = scope.get("claims")
    if claims is not None:
        from weightproof.constructions.claims.problems import check_claims
        from weightproof.constructions.claims.published import Claims

        if not isinstance(claims, Claims):
            raise InputError(f"{path}: 'claims' is of type {type(claims).__name__}; write claims = Claims(NAME, ...)")
        try:
            check_claims(claims, construction)
        except ConstructionError as error:
            raise InputError(f"{path}: {error}") from error
    return UserFile(path, construction, None if theorems is None else tuple(theorems), claims)


def load_program(path: Path) -> UserFile:
    """What a C-RASP program is compiled to; InputError says in one line what is wrong, and where."""
    from weightproof.constructions.crasp.compiling import compiled_file

    _, construction = compiled_file(path)
    check_membership(construction)
    return UserFile(path, construction, None)


def load_language(path: Path) -> Language:
    """Run a user's Python file and take the `language` that it defines; otherwise as `load_file`."""
    scope = _executed(path)
    language = scope.get("language")
    if isinstance(language, Language):
        return language
    if language is not None:
        raise InputError(f"{path}: 'language' is of type {type(language).__name__}, not a Language")
    if isinstance(scope.get("construction"), Construction):
        known = "construction.language"
    else:
        known = next((name for name, value in scope.items() if isinstance(value, Language)), "Language(...)")
    raise InputError(f"{path}: defines no 'language'; write language = {known}")


def _executed(path: Path, text: str | None = None) -> dict[str, Any]:
    """The global names of a file that has been run, or of another text in its place; what it prints goes to standard
    error, where it is in nobody's way.

    An interruption passes, and the end of a time limit; whatever else the file raises, also to leave the program,
    becomes an InputError.
    """
    try:
        path.open("rb").close()
    except OSError as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else (error.strerror or str(error)).lower()
        raise InputError(f"{path}: {reason}; name a Python file") from error
    except ValueError as error:
        raise InputError(f"{str(path)!r}: no file has such a name; name a Python file") from error
    try:
        with contextlib.redirect_stdout(sys.stderr):
            if text is None:
                return runpy.run_path(str(path))
            scope: dict[str, Any] = {"__name__": "<run_path>", "__file__": str(path)}
            exec(compile(text, str(path), "exec"), scope)
            return scope
    except (KeyboardInterrupt, Stopped):
        raise
    except SyntaxError as error:
        place = path if error.lineno is None else f"{path}:{error.lineno}"
        raise InputError(f"{place}: {error.msg or type(error).__name__}") from error
    except SystemExit as error:
        raise InputError(f"{_place(error, path)}: leaves the program instead of defining a construction") from error
    except BaseException as error:
        message, kind = said(error), type(error).__name__
        told = message if isinstance(error, ValueError) or message == kind else f"{kind}: {message}"
        raise InputError(f"{_place(error, path)}: {told}") from error


def _place(error: BaseException, path: Path) -> str:
    """The file, with its innermost line that the error passed."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == str(path)]
    return f"{path}:{lines[-1]}" if lines else str(path)
