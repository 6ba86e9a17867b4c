# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""A kernel, a launch of it and a GPU: what is predicted, profiled, swept and compared."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .arguments import Arguments, without_files
from .boards import Gpu, board_of
from .errors import Error
from .options import OptionTexts, option_texts, plain_text
from .results import Comparison, Result
from .session import session

if TYPE_CHECKING:
    from .kernels import Kernel

Sizes = int | Iterable[int]
Boards = str | Gpu | Iterable[str | Gpu] | None


class Launch:
    """Everything that decides a prediction. Made by ``Kernel.launch``; nothing can be changed, ``but`` makes another."""

    def __init__(self, kernel: Kernel, gpu: Boards = None, grid: Sizes | None = None, block: Sizes | None = None,
                 args: Any = (), smem: int | None = None, model: str | Iterable[str] | None = None, **options: Any) -> None:
        self.kernel = kernel
        self.boards = [gpu] if gpu is None or isinstance(gpu, (str, Gpu)) else list(gpu)
        self.several = not (gpu is None or isinstance(gpu, (str, Gpu)))
        self._arguments = args if isinstance(args, Arguments) else Arguments(args)
        symbols = options.pop("constant", None) or options.pop("constants", None)
        self._constants = symbols if isinstance(symbols, Arguments) else Arguments(symbols or {})
        self._asked = dict(options, gpu=gpu, grid=grid, block=block, args=self._arguments, smem=smem, model=model,
                           constants=self._constants)
        given = dict(options, grid=grid, block=block, smem=smem, model=model)
        self._options = kernel.option_texts() + option_texts(given)
        for option, texts in (("arg", self._arguments.texts), ("constant", self._constants.texts)):
            if texts:
                self._options.append((option, texts))

    def but(self, **changes: Any) -> Launch:
        """The same launch with other options: ``launch.but(block=128)``."""
        return Launch(self.kernel, **dict(self._asked, **changes))

    def __repr__(self) -> str:
        boards = ", ".join(board if isinstance(board, str) else board.id for board in self.boards if board)
        return f"<forewarp.Launch {self.kernel.name or self.kernel.source} on {boards or 'no GPU'}>"

    def _with_board(self) -> tuple[str, str, OptionTexts]:
        if self.several and len(self.boards) != 1:
            raise Error("gpu", f"{len(self.boards)} GPUs", "one", "predict_each takes several")
        return self._on(self.boards[0])

    def _on(self, board: str | Gpu | None) -> tuple[str, str, OptionTexts]:
        name, changes = board_of(board)
        merged: dict[str, list[str]] = {}
        for option, texts in [*changes, *self._options]:
            merged.setdefault(option, []).extend(texts)
        return self.kernel.input, name, list(merged.items())

    def predict(self) -> Result:
        """The prediction on one GPU. ``Error``: what stops it."""
        return Result(session().predict(*self._with_board()), self)

    def predict_each(self) -> list[Result]:
        """The prediction on each of the GPUs; one that cannot be predicted is a result with ``error``."""
        return [self._result_on(board) for board in self.boards]

    def _result_on(self, board: str | Gpu | None) -> Result:
        return Result(session().predict_or_error(*self._on(board)), self.but(gpu=board))

    def explain(self) -> Result:
        """As ``predict`` of one GPU, with everything that takes longer: ``listing``, ``source``, ``counterfactuals``,
        ``simulation``, ``provenance``."""
        return Result(session().predict(*self._with_board(), True), self)

    def profile(self) -> Result:
        """What the warps do, without any model: ``profile`` (counts of the whole grid) and ``execution`` (loops, branches,
        paths, accesses)."""
        return Result(session().profile(*self._with_board()), self)

    def report(self, format: str = "text", views: Iterable[str] = ()) -> str:
        """What ``forewarp predict`` prints, in this format and with these views."""
        return without_files(session().report(*self._with_board(), format, list(views)))

    def sweep(self, axes: Mapping[str, Any] | Iterable[str]) -> np.ndarray:
        """Every combination of the axes' values, the last axis changing fastest: ``{"block": [64, 128, 256], "n":
        "1000:100000:*10"}``, or the texts of ``--sweep``. An axis is an argument's name or index, ``grid``, ``block``,
        ``smem``, ``regs``, ``clock``, ``hw.PATH`` or ``option.MODEL.NAME``; the option ``jobs`` is the number of threads.

        A structured array of shape (points,): a field for each axis, ``time_ms``, ``low_ms`` and ``high_ms`` (90 %),
        ``limited_by``, ``blocks_per_sm``, ``warps_per_sm``, ``needed_warps``, ``waves``, ``latency_cycles`` and ``error``.
        Up to 256 points the kernel is executed for each; beyond, and with ``static=True``, counts follow from the
        analysis and low and high are NaN. A point without a prediction has NaN and its ``error``. ``Error``: an axis that
        is none."""
        return _table(session().sweep(*self._with_board(), _axis_texts(axes)))

    def _side(self) -> _core.Session.Side:
        return _core.Session.Side(*self._with_board())


def _axis_value(value: Any) -> str:
    sizes = isinstance(value, (tuple, list))
    return "x".join(plain_text(size) for size in value) if sizes else plain_text(value)


def _axis_texts(axes: Mapping[str, Any] | Iterable[str]) -> list[str]:
    if not isinstance(axes, Mapping):
        return [str(text) for text in ([axes] if isinstance(axes, str) else axes)]
    return [f"{name}={values if isinstance(values, str) else ','.join(_axis_value(value) for value in values)}"
            for name, values in axes.items()]


def _axis_columns(axes: list[tuple[str, list[Any]]]) -> dict[str, np.ndarray]:
    columns: dict[str, np.ndarray] = {}
    shape = [len(values) for _, values in axes]
    for place, (name, values) in enumerate(axes):
        column = np.array(values)
        if column.dtype.kind == "f" and np.all(column == np.floor(column)) and np.all(np.abs(column) < 2.0**53):
            column = column.astype(np.int64)
        inner, outer = int(np.prod(shape[place + 1:], dtype=np.int64)), int(np.prod(shape[:place], dtype=np.int64))
        columns[name] = np.tile(np.repeat(column, inner), outer)
    return columns


def _words(column: tuple[np.ndarray, list[str]]) -> np.ndarray:
    places, words = column
    return np.array(words or [""])[places]


def _table(swept: dict[str, Any]) -> np.ndarray:
    numbers = swept["numbers"]
    columns = _axis_columns(swept["axes"])
    columns.update({name: numbers[name] for name in ("time_ms", "low_ms", "high_ms")})
    columns["limited_by"] = _words(swept["limited_by"])
    columns.update({name: column for name, column in numbers.items() if name not in columns})
    columns["error"] = _words(swept["error"])
    table = np.empty(len(columns["time_ms"]), dtype=[(name, column.dtype) for name, column in columns.items()])
    for name, column in columns.items():
        table[name] = column
    return table


def sweep(launch: Launch, axes: Mapping[str, Any] | Iterable[str]) -> np.ndarray:
    """``launch.sweep(axes)``."""
    return launch.sweep(axes)


def compare(a: Launch | Result, b: Launch | Result) -> Comparison:
    """What changes from A to B, and why. A result stands for the launch that it came from."""
    sides = [side.request if isinstance(side, Result) else side for side in (a, b)]
    return Comparison(session().compare(*(side._side() for side in sides)))
