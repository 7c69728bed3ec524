"""`site`: all pages, written into a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from weightproof.appendix.appendix import check_names, file_name
from weightproof.constructions.files import write
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Heading, Plain, pairs
from weightproof.document.mathml import CONVERTER
from weightproof.extras import require
from weightproof.measuring.kept import Row, Rows, read
from weightproof.reported import Ending, Reported
from weightproof.subjects.registry import everything
from weightproof.website.catalogue import paper_page
from weightproof.website.pages import INDEX, SHIPPED, index_page, page_of_network, page_of_paper
from weightproof.website.telling import Papers, Told, all_papers, told


@dataclass(frozen=True, repr=False)
class Site(Reported):
    """The files of a site, by name; sizes: in bytes; as_expected: whether all verdicts on its pages are."""

    folder: Path
    sizes: Mapping[str, int]
    as_expected: bool

    @property
    def files(self) -> tuple[Path, ...]:
        return tuple(self.folder / name for name in self.sizes)

    @property
    def data(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "files": [{"name": name, "bytes": size} for name, size in self.sizes.items()],
            "as_expected": self.as_expected,
        }

    def report(self) -> Iterator[Plain]:
        pages = sum(name.endswith(".html") for name in self.sizes)
        yield Heading(3, f"{pages} pages, {sum(self.sizes.values()):,} bytes")
        yield pairs([(str(self.folder / name), f"{size:,} bytes") for name, size in self.sizes.items()])

    @property
    def ending(self) -> Ending:
        return Ending(int(not self.as_expected))


def built(folder: Path, rows: Sequence[Path] = ()) -> Site:
    """Pages of all that is built in and can be derived, and of all papers of which something is judged.

    rows: files of `precision`, whose rows stand on the pages. InputError for a folder that holds anything else, for a
    file without rows, and where formulas cannot be converted.
    """
    return built_of(_subjects(), all_papers(), folder, rows)


def require_own(folder: Path) -> None:
    """InputError where a folder holds what is no file of a site of all that is built in."""
    _require_own(folder, _names(_subjects(), all_papers()))


def _subjects() -> list[str]:
    return [subject.argument for subject in everything("derive")]


def built_of(subjects: Sequence[str], papers: Sequence[str], folder: Path, rows: Sequence[Path] = ()) -> Site:
    """Pages of these alone, by their arguments and the names of their folders; the rest as in `built`."""
    require(CONVERTER)
    check_names(subjects)
    measured = [row for path in rows for row in _rows(path).rows]
    _require_own(folder, _names(subjects, papers))
    found, of_papers = told(subjects, papers)
    contents = _contents(found, of_papers, measured)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in contents.items():
            write(folder / name, content)
    except OSError as error:
        raise InputError(f"-o {folder}: {error.strerror}; name a folder that can be written to") from error
    expected = all(result.as_expected for each in found for result in each.results)
    return Site(folder, {name: len(content) for name, content in contents.items()}, expected)


def _rows(path: Path) -> Rows:
    if not path.is_file():
        raise InputError(f"--rows {path}: no such file; name one that precision --output has written")
    return read(path)


def _names(subjects: Sequence[str], papers: Sequence[str]) -> set[str]:
    """Of all files that there may be."""
    own = {f"{file_name(name)}.{ending}" for name in subjects for ending in ("html", "svg")}
    return own | {f"paper-{name}.html" for name in papers} | {f"{INDEX}.html", *SHIPPED}


def _require_own(folder: Path, names: set[str]) -> None:
    """InputError where a folder holds what is no file of this site: nothing of anybody else's is mixed with it."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"-o {folder}: it is no folder; name one")
    foreign = sorted(each.name for each in folder.iterdir() if each.name not in names)
    if foreign:
        raise InputError(f"-o {folder}: it holds {foreign[0]}, which is no file of this site; name an empty folder")


def _contents(found: Sequence[Told], papers: Papers, measured: Sequence[Row]) -> dict[str, bytes]:
    """The files by name."""
    by_name = {paper.name: paper for paper in papers.each}
    pages = {f"{INDEX}.html": index_page(found, papers)}
    pages |= {f"{paper_page(paper)}.html": page_of_paper(paper, found) for paper in papers.each}
    for each in found:
        rows = [row for row in measured if row["construction"] == each.argument and row["sha256"] == each.sha256]
        pages[f"{each.file}.html"] = page_of_network(each, by_name.get(each.paper), rows)
    shipped = files("weightproof") / "website" / "shipped"
    return {
        **{name: page.encode() for name, page in pages.items()},
        **{f"{each.file}.svg": each.picture for each in found if each.picture is not None},
        **{name: (shipped / name).read_bytes() for name in SHIPPED},
    }
