# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What a prediction says."""
from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any

from .arguments import without_files
from .records import Record

if TYPE_CHECKING:
    from .launches import Launch


class Result(Record):
    """One launch on one GPU. Its keys are those of docs/result.md: ``time_ms``, ``interval_ms`` (low, high), ``model``,
    ``limited_by``, ``occupancy``, ``latency``, ``bounds``, ``profile``, ``models``, ``stalls``, ``findings``,
    ``assumptions``, .. A result of several GPUs that has no prediction has its ``error`` and no key that predicts.
    ``request`` is the launch that was asked for."""

    __slots__ = ("request",)

    def __init__(self, text: str, request: Launch) -> None:
        super().__init__(json.loads(without_files(text)))
        object.__setattr__(self, "request", request)

    def report(self, format: str = "text", views: list[str] | tuple[str, ...] = ()) -> str:
        """What ``forewarp predict`` prints, as ``text``, ``markdown``, ``json``, ``jsonl``, ``csv``, ``html`` or ``number``,
        with these views of it (text and Markdown; none: the usual ones)."""
        return self.request.report(format, views)

    def __repr__(self) -> str:
        name = self.kernel.name.split("[abi:")[0] or self.kernel.input  # of a function that Numba mangled
        what = f"<forewarp.Result {name} on {self.gpu.id}: "
        if self.get("error"):
            return f"{what}{self.error}>"
        if "time_ms" not in self:
            return f"{what}profile of {self.profile.executed_blocks:.0f} of {self.profile.of_blocks:.0f} blocks>"
        low, high = self.get("interval_ms") or (None, None)
        interval = f" ({low:.4g} .. {high:.4g})" if high else ""
        return f"{what}{self.time_ms:.4g} ms{interval}, limited by {self.limited_by.resource}>"

    def _repr_html_(self) -> str:
        if "time_ms" not in self:
            return f"<pre>{html.escape(repr(self))}</pre>"
        # A frame of its own: the page's style is not the notebook's.
        return f'<iframe srcdoc="{html.escape(self.report("html"))}" style="width:100%;height:40em;border:0"></iframe>'

    def __reduce__(self):
        return Record, (self._fields,)


class Comparison(Record):
    """Two launches side by side (docs/compare.md): ``ratio`` is the time of B over A, ``sure`` how certain that is (clear,
    likely, uncertain), ``factors`` what it is made of, ``answer`` one line, ``reasons`` sentences."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        super().__init__(json.loads(without_files(text))["pairs"][0])

    def __repr__(self) -> str:
        return f"<forewarp.Comparison {self.answer}>"


def fields_of(result: Result) -> dict[str, Any]:
    """Its plain fields, for code of this package."""
    return result._fields
