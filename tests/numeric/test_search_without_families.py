"""The search of a language that names no hard words: what is drawn is run, and nothing is said to have been run in
full."""

from __future__ import annotations

from pathlib import Path

from tests.test_readme import BLOCK, README
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.interpreter import parameter_values
from weightproof.numeric.model.acceptance import rules
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.search.search import Finding, Search


def test_the_file_of_the_readme_is_searched(tmp_path: Path) -> None:
    [text] = [block["body"] for block in BLOCK.finditer(README.read_text()) if "# majority.py" in block["body"]]
    path = tmp_path / "majority.py"
    path.write_text(text)
    construction = load_file(path).construction
    assert construction.language.families == {}
    model = Transformer(construction, dtype="bfloat16", attention="strict")
    names = parameter_values(construction)

    def found(effort: int) -> list[Finding]:
        return Search(construction, model, names, effort).run(rules(model.network, None), 1_000)

    own, probability = found(1 << 20)
    assert own.failure is not None
    assert (own.searched, own.least, own.in_full) == ("exhaustive", True, ((0, len(own.failure.word) - 1),))
    assert (probability.searched, probability.least) == ("sampled", False)
    own, probability = found(1 << 14)
    assert own.failure is not None
    assert (own.searched, own.least) == ("sampled", False)
    assert max(last for _, last in own.in_full) < own.searched_to
    assert (probability.searched, probability.probed_to) == ("sampled", 1_000)
