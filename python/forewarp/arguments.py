# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of a launch: numbers with their types, arrays with their contents."""
from __future__ import annotations

import hashlib
import os
import re
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .errors import Error
from .options import plain_text

# NumPy's kind and size -> the short name of a scalar type.
_TYPES = {("i", 1): "i8", ("u", 1): "u8", ("i", 2): "i16", ("u", 2): "u16", ("i", 4): "i32", ("u", 4): "u32",
          ("i", 8): "i64", ("u", 8): "u64", ("f", 2): "f16", ("f", 4): "f32", ("f", 8): "f64", ("b", 1): "u8"}
_MEMORY = re.compile(r"file:/proc/self/fd/\d+")


@dataclass(frozen=True)
class Buffer:
    """Device memory of ``nbytes`` bytes. ``content`` is ``unknown``, ``zeros``, ``ones``, ``iota``, ``random:SEED``,
    ``random:SEED:LOW:HIGH``, ``fill:V`` or ``file:PATH``; ``dtype`` a short name of the elements' type (``f32``)."""

    nbytes: int
    content: str = "unknown"
    dtype: str = ""
    held: Any = field(default=None, compare=False, repr=False)  # what keeps the content's memory file

    @property
    def text(self) -> str:
        """As a command line has it."""
        return f"buffer{'.' + self.dtype if self.dtype else ''}:{self.nbytes}:{self.content}"


def short_type(dtype: Any) -> str:
    """The short name of a type's elements: complex numbers are pairs, and structures bytes."""
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return f"f{dtype.itemsize * 4}"
    return _TYPES.get((dtype.kind, dtype.itemsize), "u8")


def buffer(shape: int | Sequence[int], dtype: Any = "float32", content: str = "unknown") -> Buffer:
    """Memory for an array of this shape and type that need not exist here: ``buffer((1024, 1024), "float32", "zeros")``."""
    kind = np.dtype(dtype)
    return Buffer(int(np.prod(shape, dtype=np.int64)) * kind.itemsize, content, short_type(kind))


class _MemoryFile:
    """A file without a place on disk. Arrays of the same bytes share one, as a process may not have many open."""

    _known: weakref.WeakValueDictionary[bytes, _MemoryFile] = weakref.WeakValueDictionary()

    def __init__(self, content: memoryview) -> None:
        self.number = os.memfd_create("forewarp")
        weakref.finalize(self, os.close, self.number)
        with os.fdopen(os.dup(self.number), "wb") as stream:
            stream.write(content)

    @classmethod
    def of(cls, array: np.ndarray) -> _MemoryFile:
        content = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        key = hashlib.blake2b(content).digest()
        file = cls._known.get(key)
        if file is None:
            file = cls._known[key] = cls(content)
        return file


def contents(array: np.ndarray, name: str = "") -> Buffer:
    """Memory with the type and the contents of an array as they are now: for many launches that share them."""
    array = np.asarray(array)
    if array.dtype.hasobject or array.dtype.byteorder == ">":
        raise Error(f"argument {name}" if name else "contents", f"elements of the type {array.dtype}",
                    "numbers as the GPU has them: little-endian")
    kind = short_type(array.dtype)
    if array.size == 0:
        return Buffer(0, "unknown", kind)
    first = array.flat[0]
    if array.dtype.kind in "iuf" and np.all(array == first) and not (first == 0 and np.any(np.signbit(array))):
        value = first.item()
        if value == 0 or float(value) == value:
            return Buffer(array.nbytes, "zeros" if value == 0 else f"fill:{plain_text(value)}", kind)
    file = _MemoryFile.of(array)
    return Buffer(array.nbytes, f"file:/proc/self/fd/{file.number}", kind, file)


class Arguments:
    """Arguments as texts of a command line. Contents of arrays lie in memory files that live as long as this does."""

    def __init__(self, given: Any = ()) -> None:
        self._held: list[Buffer] = []
        self.texts: list[str] = self._named(given) if isinstance(given, Mapping) else self._listed(given)

    def _listed(self, given: Any) -> list[str]:
        if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
            raise Error("args", f"is a {type(given).__name__}", "a list in the order of the parameters, or a dict by their names")
        places: dict[int, int] = {}
        texts = []
        for index, value in enumerate(given):
            if value is None:
                continue
            first = places.setdefault(id(value), index) if _is_array(value) else index
            texts.append(f"{index}=" + (self.text(value, str(index)) if first == index else f"same:{first}"))
        return texts

    def _named(self, given: Mapping[Any, Any]) -> list[str]:
        return [f"{name}={self.text(value, str(name))}" for name, value in given.items() if value is not None]

    def text(self, value: Any, name: str) -> str:
        """One value as ``--arg`` takes it."""
        if isinstance(value, np.ndarray):
            value = contents(value, name)
        if isinstance(value, Buffer):
            self._held.append(value)
            return value.text
        if isinstance(value, str):
            return value
        if isinstance(value, (bytes, np.void)):
            return "hex:" + bytes(value).hex()
        if isinstance(value, bool):
            return str(int(value))
        if isinstance(value, np.generic):
            return _scalar_text(value, name)
        device = getattr(value, "__cuda_array_interface__", None)
        if device is not None:
            return buffer(device["shape"], np.dtype(device["typestr"])).text
        if isinstance(value, (int, float)):
            return plain_text(value)
        raise Error(f"argument {name}", f"is a {type(value).__name__}",
                    "a number, an array, forewarp.buffer(..), bytes of a structure, or a text as --arg takes it")


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or hasattr(value, "__cuda_array_interface__")


def _scalar_text(value: np.generic, name: str) -> str:
    kind = _TYPES.get((value.dtype.kind, value.dtype.itemsize))
    if value.dtype.kind == "b":
        return f"u8:{int(bool(value))}"
    if value.dtype.kind == "c":
        return "hex:" + value.tobytes().hex()
    if kind is None:
        raise Error(f"argument {name}", f"is a number of the type {value.dtype}", "one of " + ", ".join(sorted(set(_TYPES.values()))))
    return f"{kind}:{plain_text(value)}"


def without_files(text: str) -> str:
    """A report without the numbers of memory files, which differ from run to run."""
    return _MEMORY.sub("array", text)
