# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Options of a prediction by name: the rows of the table that docs/options.md shows."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _core
from .errors import Error
from .records import Record

OptionTexts = list[tuple[str, list[str]]]


def options() -> tuple[Record, ...]:
    """Every option that ``predict`` takes by keyword: ``name``, ``key`` (its other name, as in cases), ``kind``,
    ``unit``, ``values``, ``default`` and ``help``. A - in a name is a _ in Python."""
    return tuple(Record(entry) for entry in _core.options())


def plain_text(value: Any) -> str:
    """A value as a command line would have it. NumPy's scalars are the numbers that they hold."""
    value = value.item() if hasattr(value, "item") and not getattr(value, "shape", ()) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def _several(value: Any) -> list[Any]:
    plain = isinstance(value, (str, bytes)) or not isinstance(value, Iterable)
    return [value] if plain else list(value)


def _pairs(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{plain_text(name)}={plain_text(item)}" for name, item in value.items()]
    return [plain_text(item) for item in _several(value)]


def texts_of(name: str, value: Any) -> list[str]:
    """The texts of one option's value; none: as if it was not given."""
    kind = _core.option_kind(name)
    if value is None or value is False and kind == "flag":
        return []
    if kind == "flag":
        if value is not True:
            raise Error(name, f"{value!r}", "True or False")
        return ["true"]
    if kind == "sizes":
        return [",".join(plain_text(size) for size in _several(value))]
    if kind == "pairs":
        return _pairs(value)
    if kind in ("list", "repeated"):
        return [plain_text(item) for item in _several(value)]
    return [plain_text(value)]


def option_texts(given: Mapping[str, Any]) -> OptionTexts:
    """The texts of every option that was given."""
    texts = [(name, texts_of(name, value)) for name, value in given.items()]
    return [(name, values) for name, values in texts if values]
