"""The derivation of a construction as a document, section by section."""
