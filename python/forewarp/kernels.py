# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels: a file or a text with code, and one kernel of it."""
from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from .boards import Gpu
from .errors import Error
from .launches import Boards, Launch, Sizes
from .options import OptionTexts, option_texts
from .records import Record
from .results import Result
from .session import session


class Kernel:
    """Code and the name of one kernel in it; empty: the only one. Made by ``load``."""

    def __init__(self, source: str, name: str = "", content: bytes | None = None, options: Any = ()) -> None:
        self.source, self.name = source, name
        self._content, self._compile_options = content, list(options)
        self._known_to: _core.Session | None = None

    @property
    def input(self) -> str:
        """The name under which a session reads the code."""
        asked = session()
        if self._content is not None and self._known_to is not asked:
            asked.give_input(self.source, self._content)
            self._known_to = asked
        return self.source

    def option_texts(self) -> OptionTexts:
        """What of a prediction's options the kernel decides by itself."""
        return option_texts({"kernel": self.name or None, "nvcc_option": self._compile_options})

    def __getitem__(self, name: str) -> Kernel:
        """Another kernel of the same code: ``kernel["scale<float>"]``, ``kernel["#2"]``."""
        return Kernel(self.source, name, self._content, self._compile_options)

    def __repr__(self) -> str:
        return f"<forewarp.Kernel {self.name + ' of ' if self.name else ''}{self.source}>"

    def kernels(self, cc: str = "", **options: Any) -> tuple[Record, ...]:
        """The kernels of the code: ``name``, ``full_name`` (with types), ``mangled``, ``sm``, ``instructions``,
        ``registers`` (None where the code does not tell). Source code is compiled for the capability ``cc``, "8.6"."""
        texts = self.option_texts() + option_texts(options)
        sm = int(cc.replace(".", "") or 0)
        return tuple(Record(entry) for entry in _core.kernels(self.source, self._content, sm, texts))

    def launch(self, gpu: Boards = None, grid: Sizes | None = None, block: Sizes | None = None, args: Any = (),
               smem: int | None = None, model: str | Iterable[str] | None = None, **options: Any) -> Launch:
        """A launch to predict, profile, sweep or compare.

        gpu: an id, a name, a file or a ``Gpu``, or several of them.
        grid, block: blocks and threads per block, x or (x, y, z). With ``threads=N`` the grid follows the block.
        args: a list in the order of the parameters (None: not given) or a dict by name or index. Python's numbers take
            the parameter's type, NumPy's have their own; a NumPy array is a buffer of its bytes with its contents, an array
            on a device (``__cuda_array_interface__``) one of unknown contents, ``buffer(..)`` one that is not here;
            ``bytes`` are a structure; a text is read as ``--arg`` reads it.
        smem: dynamic shared memory per block, bytes.
        constants: a dict of module variables by name, values as in ``args``.
        model: a model's name, several, ``"all"`` or ``"auto"``.
        options: every other option of docs/options.md by its name, - as _: ``clock=1253``, ``timing="event"``,
            ``warm=True``, ``budget=0.1``, ``set={"hw.memory.latency_cycles": 500}``.

        ``Error``: an option that there is none of, a value that is none; the rest is told by what is done with it."""
        return Launch(self, gpu, grid, block, args, smem, model, **options)

    def predict(self, gpu: str | Gpu | None = None, grid: Sizes | None = None, block: Sizes | None = None, args: Any = (),
                smem: int | None = None, model: str | Iterable[str] | None = None, **options: Any) -> Result:
        """``launch(..).predict()``: how long it takes, and why."""
        return self.launch(gpu, grid, block, args, smem, model, **options).predict()

    def predict_each(self, gpus: Iterable[str | Gpu], grid: Sizes | None = None, block: Sizes | None = None, args: Any = (),
                     smem: int | None = None, model: str | Iterable[str] | None = None, **options: Any) -> list[Result]:
        """``launch(..).predict_each()``: a result for each GPU, with its time or its ``error``."""
        return self.launch(list(gpus), grid, block, args, smem, model, **options).predict_each()

    def profile(self, gpu: str | Gpu | None = None, grid: Sizes | None = None, block: Sizes | None = None, args: Any = (),
                smem: int | None = None, **options: Any) -> Result:
        """``launch(..).profile()``: what the warps do, without any model."""
        return self.launch(gpu, grid, block, args, smem, None, **options).profile()

    def sweep(self, axes: Any, gpu: str | Gpu | None = None, grid: Sizes | None = None, block: Sizes | None = None,
              args: Any = (), smem: int | None = None, model: str | Iterable[str] | None = None, **options: Any) -> np.ndarray:
        """``launch(..).sweep(axes)``: a structured array with a row for each combination."""
        return self.launch(gpu, grid, block, args, smem, model, **options).sweep(axes)


def _is_code(source: str) -> bool:
    """A path has one line and is there, or looks like one."""
    return "\n" in source or ("{" in source and not os.path.exists(source))


def _memory_name(content: bytes) -> str:
    return f"<code {hashlib.sha256(content).hexdigest()[:12]}>"


def load(source: str | bytes | os.PathLike[str], kernel: str = "", options: Iterable[str] = ()) -> Kernel:
    """A kernel of a file (SASS listing, ``.cubin``, fatbin, executable, ``.ptx``, ``.cu``) or of the code itself, as a text
    or as bytes. ``kernel``: its plain, C++ or mangled name, or ``#N``; empty: the only one. ``options`` are for the
    compiler of source code: ``["-DTILE=16", "-use_fast_math"]``. Source, PTX and binaries need a CUDA toolkit
    (``CUDA_HOME``, ``PATH``, or the option ``cuda``). A file is read when something is asked of it, and anew after every
    ``load``. ``Error``: there is no such file."""
    if isinstance(options, str):
        raise Error("options", repr(options), "a list of options: ['-DN=4']")
    if isinstance(source, (bytes, bytearray)) or isinstance(source, str) and _is_code(source):
        content = source.encode() if isinstance(source, str) else bytes(source)
        return Kernel(_memory_name(content), kernel, content, options)
    path = Path(source)
    if not path.is_file():
        raise Error(str(path), "there is no such file", "code, or the path of a file with code")
    session().forget_input(str(path))
    return Kernel(str(path), kernel, None, options)
