"""Single quantities of a construction: what is derived of them, what runs find, whether a formula is right."""
