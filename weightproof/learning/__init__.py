"""`learn`: experiments of papers, trained here, beside what the papers say came out."""
