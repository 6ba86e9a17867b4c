# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Objects of a result: read-only mappings whose keys are attributes too."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Iterator


def wrapped(value: Any) -> Any:
    """Objects as records, lists as tuples of what they hold."""
    if isinstance(value, dict):
        return Record(value)
    if isinstance(value, list):
        return tuple(wrapped(item) for item in value)
    return value


class Record(Mapping):
    """A JSON object: ``record.key`` and ``record["key"]``. Keys are those of docs/result.md; nothing can be changed."""

    __slots__ = ("_fields",)

    def __init__(self, fields: dict[str, Any]) -> None:
        object.__setattr__(self, "_fields", fields)

    def __getitem__(self, key: str) -> Any:
        return wrapped(self._fields[key])

    def __getattr__(self, key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        try:
            return wrapped(self._fields[key])
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no '{key}'; it has {', '.join(self._fields)}") from None

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._fields.items())})"

    def to_dict(self) -> dict[str, Any]:
        """The object as plain dictionaries and lists, as ``json`` reads and writes them: the caller's own copy."""
        return _plain(self._fields)

    def __reduce__(self):
        return Record, (self._fields,)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
