# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What stops a prediction, as one line and in its parts."""
from __future__ import annotations

from . import _core


class Error(ValueError):
    """The one line that says what is wrong: ``PLACE: FOUND; expected EXPECTED; WAY_OUT``. Parts may be empty."""

    def __init__(self, place: str, found: str = "", expected: str = "", way_out: str = "") -> None:
        super().__init__(_core.diagnostic_line(place, found, expected, way_out))
        self.place, self.found, self.expected, self.way_out = place, found, expected, way_out

    def __reduce__(self):
        return type(self), (self.place, self.found, self.expected, self.way_out)
