"""What cannot be written for the proof assistant."""


class Unwritten(Exception):
    """The step that is missing, in a clause."""
