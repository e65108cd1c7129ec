# SPDX-License-Identifier: Apache-2.0
"""What was probably meant, of names that are mistyped."""


def close(name, known):
    """The names that are close to one, the closest first."""
    import difflib  # takes longer to import than a call does

    found = difflib.get_close_matches(name.lower().replace("-", "_"), known, 3, 0.65)
    return found or [one for one in known if len(name) > 3 and one.startswith(name.lower())][:3]


def among(name, known):
    """"; did you mean ...?" for a message; empty where nothing is close."""
    found = close(name, known)
    return f"; did you mean {' or '.join(found)}?" if found else ""
