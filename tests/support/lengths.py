"""Up to which lengths all words are run in the suites: the trust manifest says so, too."""

CLOSED_FORMS = {2: (7, 10), 3: (5, 7)}
"""Of closed forms, by the number of symbols: in `make test`, and in `make controls`."""
MEMBERSHIP = 10
"""Of languages, function against formula."""
