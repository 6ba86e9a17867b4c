# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""A kernel with parameters, in the words of Kernel Tuner: which configurations there are, and what launch each of them is."""
from __future__ import annotations

import ast
import itertools
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .arguments import Arguments, contents
from .boards import Gpu, gpu as board_named
from .errors import Error
from .kernels import Kernel, load
from .launches import Launch
from .results import Result

import numpy as np

Config = dict[str, Any]

BLOCK_SIZE_NAMES = ("block_size_x", "block_size_y", "block_size_z")
_USUAL_BLOCK = (256, 1, 1)  # where no parameter says it
_FUNCTIONS = {"ceil": math.ceil, "floor": math.floor, "sqrt": math.sqrt, "log2": math.log2, "math": math, "abs": abs, "min": min,
              "max": max, "int": int, "float": float, "round": round, "pow": pow, "len": len, "sum": sum}


def value_of(expression: Any, config: Mapping[str, Any], place: str) -> Any:
    """A number, a function of the configuration, or an expression over its names."""
    if callable(expression):
        return expression(dict(config))
    if not isinstance(expression, str):
        return expression
    try:
        return eval(compile(ast.parse(expression.strip(), mode="eval"), place, "eval"), {"__builtins__": {}, **_FUNCTIONS}, dict(config))
    except Exception as why:  # whatever an expression may do wrong is its author's to know
        raise Error(place, f"'{expression}': {why}", "an expression of " + ", ".join(config)) from None


def _several(value: Any) -> list[Any]:
    if value is None:
        return []
    return [value] if isinstance(value, str) or callable(value) or not isinstance(value, Iterable) else list(value)


def _problem_size(size: Any, config: Config) -> list[int]:
    given = size(dict(config)) if callable(size) else size
    sizes = [int(value_of(part, config, "problem_size")) for part in _several(given)]
    if not 1 <= len(sizes) <= 3:
        raise Error("problem_size", f"{given!r}", "one to three sizes")
    return sizes + [1] * (3 - len(sizes))


class TuningProblem:
    """The arguments of ``kernel_tuner.tune_kernel`` that say what a configuration is, and ``gpu``. ``options`` are those of
    ``Kernel.launch``. Where they do not say otherwise a time is what events around a launch measure, with the same launch
    before it (``timing="event"``, ``warm=True``), within 0.2 s of counted work (``budget``).

    ``configurations()`` are those that fulfil every restriction and whose block the GPU accepts; ``launch``, ``predict`` and
    ``cost`` take one as a dict, or as a sequence in the order of ``tune_params``. ``Error``: an argument that is none."""

    def __init__(self, kernel_name: str, kernel_source: Any, problem_size: Any, arguments: Sequence[Any],
                 tune_params: Mapping[str, Sequence[Any]], *, gpu: str | Gpu, grid_div_x: Any = None, grid_div_y: Any = None,
                 grid_div_z: Any = None, restrictions: Any = None, smem_args: Mapping[str, Any] | None = None,
                 cmem_args: Mapping[str, Any] | None = None, compiler_options: Iterable[str] | None = None,
                 defines: Mapping[str, Any] | None = None, block_size_names: Sequence[str] | None = None, **options: Any) -> None:
        self.gpu = gpu if isinstance(gpu, Gpu) else board_named(gpu)
        self.kernel_name, self.tune_params = kernel_name, {name: list(values) for name, values in tune_params.items()}
        self._sources = list(kernel_source) if isinstance(kernel_source, (list, tuple)) else [kernel_source]
        self._problem_size, self._defines = problem_size, defines
        self._divisors = (grid_div_x, grid_div_y, grid_div_z)
        self._restrictions = _several(restrictions)
        self._shared = (smem_args or {}).get("size", 0)
        self._compile_options = list(compiler_options or [])
        names = tuple(block_size_names or ())
        self.block_size_names = names + BLOCK_SIZE_NAMES[len(names):]
        self._arguments = Arguments([contents(value, str(place)) if isinstance(value, np.ndarray) else value
                                     for place, value in enumerate(arguments)])
        self._constants = Arguments({name: value if isinstance(value, np.ndarray) else np.array([value])
                                     for name, value in (cmem_args or {}).items()})
        self._options = {"timing": "event", "warm": True, "budget": 0.2, "jobs": 1, **options}

    def configurations(self) -> Iterator[Config]:
        """Each in turn, the last parameter changing fastest."""
        names = list(self.tune_params)
        for values in itertools.product(*self.tune_params.values()):
            config = dict(zip(names, values))
            if self.is_valid(config):
                yield config

    def is_valid(self, config: Config) -> bool:
        """Whether every restriction holds, and the board takes a block of so many threads."""
        if math.prod(self.block(config)) > self.gpu.max_threads_per_block:
            return False
        return all(bool(value_of(rule, config, "restrictions")) for rule in self._restrictions)

    def block(self, config: Config) -> tuple[int, int, int]:
        """Threads per block of a configuration in x, y, z."""
        x, y, z = (int(config.get(name, usual)) for name, usual in zip(self.block_size_names, _USUAL_BLOCK))
        return x, y, z

    def grid(self, config: Config) -> tuple[int, int, int]:
        """Blocks of a configuration in x, y, z: the problem size over the divisors, rounded up."""
        sizes = _problem_size(self._problem_size, config)
        x, y, z = (math.ceil(size / self._divisor(axis, config)) for axis, size in enumerate(sizes))
        return x, y, z

    def _divisor(self, axis: int, config: Config) -> float:
        place, given = f"grid_div_{'xyz'[axis]}", self._divisors[axis]
        if given is None:
            return float(config.get(self.block_size_names[axis], 1))
        divisor = math.prod(float(value_of(part, config, place)) for part in _several(given))
        if not divisor > 0:
            raise Error(place, f"{divisor:g}", "a divisor above 0")
        return divisor

    def kernel(self, config: Config) -> Kernel:
        """The kernel as it is compiled for a configuration."""
        code, folders = self._code(config)
        options = [*self._compile_options, *(f"-I{folder}" for folder in folders)]
        return load(self._prefix(code, config) + _without_zero_unroll(code, config), self._replaced(self.kernel_name, config), options)

    def _code(self, config: Config) -> tuple[str, list[Path]]:
        """The first source, and the folders in which it looks for the others."""
        first = self._sources[0](dict(config)) if callable(self._sources[0]) else self._sources[0]
        files = [Path(file).resolve() for file in self._sources[1:]]
        for file in files:
            if not file.is_file():
                raise Error("kernel_source", f"there is no file {file}", "files beside the first source")
        if isinstance(first, os.PathLike) or "\n" not in first and os.path.isfile(first):
            files.insert(0, Path(first).resolve())
            first = files[0].read_text(encoding="utf-8")
        return first, sorted({file.parent for file in files})

    def _replaced(self, text: str, config: Config) -> str:
        return re.sub(r"\w+", lambda word: str(config.get(word.group(), word.group())), text)

    def _macros(self, config: Config) -> dict[str, Any]:
        if self._defines is not None:
            return {name: value(dict(config)) if callable(value) else self._replaced(value, config) if isinstance(value, str) else value
                    for name, value in self._defines.items()}
        sizes = zip(("grid_size_x", "grid_size_y", "grid_size_z"), self.grid(config))
        return {**dict(sizes), **dict(zip(self.block_size_names, self.block(config))), **config, "kernel_tuner": 1}

    def _prefix(self, code: str, config: Config) -> str:
        """Macros of a single source are only those that it names: configurations that differ in others are the same code."""
        used = set(re.findall(r"[A-Za-z_]\w*", code)) if len(self._sources) == 1 and '#include "' not in code else None
        lines = []
        for name, value in self._macros(config).items():
            if not name.isidentifier():
                raise Error("defines", f"'{name}'", "a name that a macro may have")
            if used is not None and name not in used:
                continue
            if "loop_unroll_factor" in name:
                lines += [] if str(value) == "0" else [f"constexpr int {name} = {value};\n"]
            else:
                escaped = str(value).replace("\n", "\\\n")
                lines.append(f"#define {name} {escaped}\n")
        return "".join(lines) + "#line 1\n"

    def as_config(self, values: Config | Sequence[Any]) -> Config:
        """A configuration as a dict."""
        if isinstance(values, Mapping):
            return dict(values)
        if len(values) != len(self.tune_params):
            raise Error("configuration", f"{len(values)} values", f"{len(self.tune_params)}: {', '.join(self.tune_params)}")
        return dict(zip(self.tune_params, values))

    def launch(self, config: Config | Sequence[Any]) -> Launch:
        """The launch that a configuration is."""
        config = self.as_config(config)
        given: dict[str, Any] = dict(self._options)
        given["constants"] = self._constants
        shared = int(value_of(self._shared, config, "smem_args"))
        return self.kernel(config).launch(gpu=self.gpu, grid=self.grid(config), block=self.block(config), args=self._arguments,
                                          smem=shared, **given)

    def predict(self, config: Config | Sequence[Any]) -> Result:
        """The prediction of a configuration."""
        return self.launch(config).predict()

    def cost(self, config: Config | Sequence[Any]) -> float:
        """Milliseconds of a configuration; infinity where it is not in the space or has no prediction. What a strategy
        minimises."""
        config = self.as_config(config)
        try:
            return self.predict(config).time_ms if self.is_valid(config) else math.inf
        except Error:
            return math.inf

    __call__ = cost


def _without_zero_unroll(code: str, config: Config) -> str:
    """A loop that is unrolled by a factor of 0 keeps no pragma."""
    for name, value in config.items():
        if "loop_unroll_factor" in name and str(value) == "0":
            code = re.sub(rf"\n[ \t]*#pragma\s+unroll\s+{re.escape(name)}\b", "\n", code)
    return code


def cost_function(problem: TuningProblem) -> Callable[[Config | Sequence[Any]], float]:
    """``problem.cost``: a function of a configuration for an optimiser that minimises."""
    return problem.cost
