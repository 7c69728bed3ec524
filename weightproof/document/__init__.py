"""A document of blocks, and how it is written: LaTeX, Markdown, PDF."""
