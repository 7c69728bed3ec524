"""The search of a language that names no hard words: what is drawn is run, and nothing is said to have been run in
full."""

from __future__ import annotations

from pathlib import Path

from tests.test_readme import BLOCK, README
from weightproof.constructions.library import load_file
from weightproof.constructions.meaning.interpreter import parameter_values
from weightproof.numeric.model.acceptance import rules
from weightproof.numeric.model.transformer import Transformer
from weightproof.numeric.search.search import Search


def test_the_file_of_the_readme_is_searched(tmp_path: Path) -> None:
    [text] = [block["body"] for block in BLOCK.finditer(README.read_text()) if "# majority.py" in block["body"]]
    path = tmp_path / "majority.py"
    path.write_text(text)
    construction = load_file(path).construction
    assert construction.language.families == {}
    model = Transformer(construction, dtype="bfloat16", attention="strict")
    names = parameter_values(construction)
    logit, probability = Search(construction, model, names, 1 << 17).run(rules(model.network, None), 1_000)
    assert (logit.searched, logit.least) == ("exhaustive", True)
    assert logit.failure is not None
    assert logit.failure.logit > 0
    assert probability.searched == "sampled"
    assert not probability.least
    assert max(last for _, last in probability.in_full) == len(logit.failure.word) - 1
    assert probability.probed_to > 500 or probability.failure is not None
