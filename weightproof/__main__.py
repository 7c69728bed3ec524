"""`weightproof` and `python -m weightproof`: where the program begins."""

import sys


def main() -> int:
    """The exit status. The modules are loaded here, where an interruption is told as at any other time."""
    try:
        from weightproof.cli import main as run
    except KeyboardInterrupt:
        print("weightproof: interrupted before there was a result", file=sys.stderr)
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
