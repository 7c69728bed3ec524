"""`site`: all pages, written into a folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from weightproof.appendix.appendix import check_names
from weightproof.constructions.meaning.inputs import InputError
from weightproof.document.blocks import Heading, Paragraph, Plain, pairs
from weightproof.document.mathml import CONVERTER
from weightproof.extras import require
from weightproof.filed import Filed, filed
from weightproof.measuring.kept import Row, Rows, read
from weightproof.reported import Ending
from weightproof.subjects.registry import everything
from weightproof.website.catalogue import MANUAL
from weightproof.website.manual.building import manual
from weightproof.website.networks import Told, page_of
from weightproof.website.pages import INDEX, SHIPPED, index_page, page_of_network, page_of_paper
from weightproof.website.papers import Papers, all_papers
from weightproof.website.papers import page_of as page_of_a_paper
from weightproof.website.telling import told


@dataclass(frozen=True, repr=False)
class Site(Filed):
    """as_expected: whether all verdicts on its pages are."""

    as_expected: bool

    @property
    def title(self) -> str:
        pages = sum(name.endswith(".html") for name in self.sizes)
        return f"{pages} pages, {sum(self.sizes.values()):,} bytes"

    @property
    def data(self) -> dict[str, Any]:
        return super().data | {"as_expected": self.as_expected}

    def report(self) -> Iterator[Plain]:
        yield Heading(3, self.title)
        rows = [(str(self.folder / name), f"{size:,} bytes") for name, size in self.sizes.items() if "/" not in name]
        of_manual = [size for name, size in self.sizes.items() if "/" in name]
        if of_manual:
            rows.append((str(self.folder / MANUAL), f"{sum(of_manual):,} bytes in {len(of_manual)} files"))
        yield pairs(rows)
        if not of_manual:
            yield Paragraph("Without the manual: it is made of the folder docs of a checkout, which is not here.")

    @property
    def ending(self) -> Ending:
        return Ending(int(not self.as_expected))


def built(folder: Path, rows: Sequence[Path] = ()) -> Site:
    """Pages of all that is built in and can be derived, and of all papers of which something is judged, and the manual,
    where there is what it is made of.

    rows: files of `precision`, whose rows stand on the pages. InputError for a folder that holds anything else, for a
    file without rows, and where formulas cannot be converted.
    """
    return built_of(_subjects(), all_papers(), folder, rows, manual())


def require_own(folder: Path) -> None:
    """InputError where a folder holds what is no file of a site of all that is built in."""
    _require_own(folder, _names(_subjects(), all_papers(), manual()))


def _subjects() -> list[str]:
    """All that is derived."""
    return [subject.argument for subject in everything("derive")]


def built_of(
    subjects: Sequence[str],
    papers: Sequence[str],
    folder: Path,
    rows: Sequence[Path] = (),
    in_manual: Mapping[str, bytes] = MappingProxyType({}),
) -> Site:
    """Pages of these alone, by their arguments and the names of their folders, and a manual; the rest as in `built`."""
    require(CONVERTER)
    check_names([*map(page_of, subjects)])
    measured = [row for path in rows for row in _rows(path).rows]
    _require_own(folder, _names(subjects, papers, in_manual))
    found, of_papers = told(subjects, papers)
    contents = _contents(found, of_papers, measured, in_manual)
    expected = all(result.as_expected for each in found for result in each.results)
    return Site(folder, filed(folder, contents), expected)


def _rows(path: Path) -> Rows:
    if not path.is_file():
        raise InputError(f"--rows {path}: no such file; name one that precision --keep has written")
    return read(path)


def _names(subjects: Sequence[str], papers: Sequence[str], in_manual: Mapping[str, bytes]) -> set[str]:
    """Of all files that there may be."""
    own = {f"{MANUAL}/{name}" for name in in_manual}
    own |= {f"{page_of(name)}.{ending}" for name in subjects for ending in ("html", "svg")}
    return own | {f"{page_of_a_paper(name)}.html" for name in papers} | {f"{INDEX}.html", *SHIPPED}


def _require_own(folder: Path, names: set[str]) -> None:
    """InputError where a folder holds what is no file of this site: nothing of anybody else's is mixed with it."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"-o {folder}: it is no folder; name one")
    own = names | {str(place) for name in names for place in PurePosixPath(name).parents}
    there = (each.relative_to(folder).as_posix() for each in folder.rglob("*"))
    foreign = sorted(name for name in there if name not in own)
    if foreign:
        raise InputError(f"-o {folder}: it holds {foreign[0]}, which is no file of this site; name an empty folder")


def _contents(
    found: Sequence[Told], papers: Papers, measured: Sequence[Row], in_manual: Mapping[str, bytes]
) -> dict[str, bytes]:
    """The files by name."""
    by_name = {paper.name: paper for paper in papers.each}
    pages = {f"{INDEX}.html": index_page(found, papers, bool(in_manual))}
    pages |= {f"{paper.file}.html": page_of_paper(paper, found) for paper in papers.each}
    for each in found:
        rows = [row for row in measured if row["construction"] == each.argument and row["sha256"] == each.sha256]
        pages[f"{each.file}.html"] = page_of_network(each, by_name.get(each.paper), rows, _related(each, found))
    shipped = files("weightproof") / "website" / "shipped"
    return {
        **{name: page.encode() for name, page in pages.items()},
        **{f"{each.file}.svg": each.picture for each in found if each.picture is not None},
        **{name: (shipped / name).read_bytes() for name in SHIPPED},
        **{f"{MANUAL}/{name}": content for name, content in in_manual.items()},
    }


def _related(one: Told, found: Sequence[Told]) -> tuple[Told, ...]:
    """What it was transformed from, and what it was transformed into."""
    return tuple(each for each in found if one.origin == each.argument or each.origin == one.argument)
