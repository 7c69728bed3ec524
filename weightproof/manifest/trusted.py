"""What is trusted: what every verdict rests on, and what a proof uses without an obligation of its own."""

from __future__ import annotations

from importlib.metadata import version

from weightproof.constructions.languages.samples import BEYOND, EVERY
from weightproof.document import markdown
from weightproof.document.blocks import Code, Heading, Table
from weightproof.proofs.kernel.checked import Record
from weightproof.proofs.solving.trusted import FACTS

SOFTWARE = {
    "z3-solver": "the first solver",
    "cvc5": "the second solver",
    "sympy": "expands and cancels polynomials and rational functions of the closed forms and certificates",
    "python-flint": "exact rationals and balls of the interpreter",
}

RESTS = f"""\
# What every verdict rests on

- **What a network computes** is defined by `constructions/meaning/schema.py` and
  `constructions/meaning/interpreter.py`, in real numbers. No verdict speaks of floating point.
- **What a language is** is defined by its formula. Its Python function is held against the formula on every word up to
  length 10, and on words of up to {max(BEYOND)} symbols at several parameter values, not proved equal.
- **Every value exists.** That no weight, encoding, scale or formula divides by zero or leaves the reals, for any n,
  position or parameter, is shown before a closed form is derived or a formula is used.
- **The closed form is the forward pass.** `symbolic/` derives it by rules that are programmed, not proved. It is
  compared with the interpreter on every word up to length 10, over three symbols 7, and on random long ones
  (`tests/symbolic/`), on random networks from the whole schema (`tests/controls/test_random_constructions.py`), and,
  with the theorem itself, before every `proved`: on words of every length up to {EVERY} and some up to
  {max(BEYOND)}, of a large network on as many as a fixed number of products allows. A difference is no verdict; where
  no sign of them can be decided nothing is proved.
- **A proof** takes the closed form apart into obligations (`proofs/`); that these imply the theorem is programmed, not
  proved. As a control every nonzero weight is changed: the verdict must become a word, or stay proved because the
  change is harmless (`make controls`).
- **Transformed constructions**, named after what was done to them, as `one+sharpen`, have had less: every weight is
  changed of ONE under a norm and of FIRST with log length alone; of FIRST, PARITY, palindromes, 1-DYCK and bounded
  depth, with and without a margin, under a norm, of FIRST by one layer with log length, of ONE and PARITY sharpened,
  and of FIRST, PARITY and 1-DYCK with a margin sharpened under a norm, a sample (`tests/controls/test_controls.py` says
  how many); a few of their closed forms are compared with the interpreter on words of up to 3 to 5 symbols only, beside
  the comparison before every `proved`.
- **Predicted tokens** are those ahead of all others by their output. Each output less each other is a closed form, held
  against the outputs of the interpreter's run of the whole network.
- **Side conditions** that are linear in integers are settled by exact elimination and put to both solvers again.
- **A margin** is the least |logit| of the accepted or of the rejected words of n positions: a bound that holds on
  every word, and for every n a word that attains it. A margin of 0 means that no rounded arithmetic can be trusted.
- **The kernel** of Coq has checked the theorems whose evidence is `kernel`, from the weights on, for all words and all
  parameters: there `proofs/kernel/Transformer.v` says what a network computes, and all of the above is not needed but
  that the table of weights is the paper's and the statement what is meant. `make kernel` has it check the proofs, which
  the program writes, and notes the hash of each in `proofs/kernel/checked.json`: what is written otherwise by now is
  not counted here. Of a refutation it has checked that the statement is false, by computing what the network does with
  the word.
- **A refutation** of any other kind rests on the interpreter alone: its word has been replayed there, exactly, or under
  a norm in balls, of which only what is true of every number in them is taken; or, of a network that sees counts alone,
  where its word is too long to be written out, on sums over tokens in balls: the evidence says `counted in balls, not
  replayed`, and no verdict here is of that kind.
"""

RULES = """\
# What is asserted without an obligation

Two solvers agree on what they are told. So each fact that a proof uses without an obligation of its own is computed
each time in exact arithmetic, or shown; what is left is a definition or a rule, which is trusted and stands here.
"""


def rests() -> str:
    """The page of what the program as a whole is trusted with, and the versions of what it uses."""
    record = Record.read()
    software = [(name, version(name), use) for name, use in SOFTWARE.items()]
    if record.proofs:
        software.append(("coq", record.coq, "its kernel has checked the proofs that were written for it"))
    versions = Table(("software", "version", "what it does"), software)
    return f"{RESTS}\n{markdown.markdown((Heading(2, 'The software'), versions))}"


def rules() -> str:
    """The page of facts that have no obligation of their own."""
    facts = Table(("fact", "how it is settled", "where"), [(each.fact, each.how, Code(each.where)) for each in FACTS])
    return f"{RULES}\n{markdown.markdown((facts,))}"


PAGES = {"rests-on": rests, "rules": rules}
"""By their names, as files."""
