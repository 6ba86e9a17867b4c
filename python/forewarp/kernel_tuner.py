# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kernel Tuner without a GPU: its ``tune_kernel`` by prediction, a backend and a strategy for its own.

Signatures and forms of results are those of kernel_tuner 1.4.0, which need not be there for ``tune_kernel`` and ``TuningProblem``.
"""
from __future__ import annotations

import contextlib
import importlib
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from typing import Any

from .arguments import contents
from .boards import Gpu, gpu as board_named
from .errors import Error
from .kernels import Kernel, load
from .results import Result
from .tuning import Config, TuningProblem, cost_function, value_of

import numpy as np

__all__ = ["PredictedFirst", "PredictingBackend", "TuningProblem", "cost_function", "predicting_backend", "tune_kernel"]

MOST_COST = sys.float_info.max  # what Kernel Tuner takes for a configuration that failed


class _ErrorConfig(str):
    """Why a configuration has no time; a stand-in for Kernel Tuner's own where that is not there."""

    def __str__(self) -> str:
        return type(self).__name__

    __repr__ = __str__


class InvalidConfig(_ErrorConfig):
    """It makes no launch."""


class CompilationFailedConfig(_ErrorConfig):
    """Its code does not compile."""


class RuntimeFailedConfig(_ErrorConfig):
    """It would not run, or cannot be predicted."""


def _error_config(kind: type) -> str:
    own = sys.modules.get("kernel_tuner.util")
    return getattr(own, kind.__name__, kind)() if own else kind()


def _evaluated(problem: TuningProblem, config: Config, iterations: int) -> tuple[Config, Error | None]:
    """A configuration with what Kernel Tuner would add to it. Times of stages are milliseconds."""
    entry = dict(config)
    began = time.perf_counter()
    compiled = began
    why = None
    try:
        launch = problem.launch(config)
        launch.kernel.kernels(problem.gpu.cc)
        compiled = time.perf_counter()
        result = launch.predict()
        entry["time"] = result.time_ms
        entry["times"] = [result.time_ms] * iterations
        entry["time_low"], entry["time_high"] = result.get("interval_ms") or (None, None)
        entry["limited_by"] = result.limited_by.resource
    except Error as error:
        why = error
        entry["__error__"] = _error_config(CompilationFailedConfig if compiled == began else RuntimeFailedConfig)
    ended = time.perf_counter()
    if compiled == began:
        compiled = ended
    entry.update(compile_time=1000 * (compiled - began), verification_time=0.0, benchmark_time=1000 * (ended - compiled),
                 strategy_time=0.0, framework_time=0.0, timestamp=str(datetime.now(timezone.utc)))
    return entry, why


def _with_metrics(entry: Config, metrics: Mapping[str, Any]) -> Config:
    if "__error__" not in entry:
        for name, expression in metrics.items():
            entry[name] = value_of(expression, entry, f"metrics '{name}'")
    return entry


def _refuse(given: Mapping[str, Any]) -> None:
    """What cannot be had without running is refused, not passed over."""
    for name, value in given.items():
        if value:
            raise Error(name, f"{value!r} asks for what a prediction does not have", "", f"leave out {name}")


def environment(gpu: Gpu, iterations: int = 7, compiler_options: Any = None) -> dict[str, Any]:
    """What Kernel Tuner's backends say of their device."""
    properties = {name: value for name, value in gpu.to_dict().items() if name != "facts"}
    return {"device_name": gpu.name, "compute_capability": gpu.cc.replace(".", ""), "iterations": iterations,
            "compiler_options": compiler_options, "device_properties": properties, "predicted": True}


def tune_kernel(kernel_name, kernel_source, problem_size, arguments, tune_params, grid_div_x=None, grid_div_y=None, grid_div_z=None,
                restrictions=None, answer=None, atol=1e-6, verify=None, verbose=False, lang=None, device=0, platform=0,
                smem_args=None, cmem_args=None, texmem_args=None, compiler=None, compiler_options=None, defines=None, log=None,
                iterations=7, block_size_names=None, quiet=False, strategy=None, strategy_options=None, cache=None, metrics=None,
                simulation_mode=None, parallel=None, observers=None, objective=None, objective_higher_is_better=None,
                objectives=None, seed=None, *, gpu=None, workers=None, **options):
    """As ``kernel_tuner.tune_kernel``, with every configuration predicted: ``(results, env)``, the fastest first, those without
    a time last with their ``__error__``; ``env["best_config"]`` is the first.

    gpu: the board (or ``device`` with its name). workers: threads that compile and predict; one per core unless stated.
    options: those of ``Kernel.launch``, ``model="sim"``, ``clock=1410``; ``TuningProblem`` says which stand without them.

    A result has the parameters, ``time`` (ms), ``times``, ``time_low`` and ``time_high`` (90 %), ``limited_by``, and times of
    its stages. Nothing runs: ``answer``, ``verify``, ``atol``, ``iterations``, ``platform``, ``compiler``, ``log`` and ``seed`` change no
    time, and with any ``strategy`` all configurations are looked at. ``Error``: ``lang`` other than CUDA, another ``objective``,
    ``texmem_args``, ``observers``, ``cache``, ``simulation_mode``, and a space of which nothing compiles."""
    _refuse({"texmem_args": texmem_args, "observers": observers, "cache": cache, "simulation_mode": simulation_mode,
             "objectives": objectives, "objective_higher_is_better": objective_higher_is_better,
             "objective": objective if objective != "time" else None})
    if lang is not None and lang.upper() not in ("CUDA", "CUPY", "NVCUDA", "PYCUDA"):
        raise Error("lang", f"'{lang}'", "CUDA")
    began = time.perf_counter()
    board = gpu if gpu is not None else device
    if not isinstance(board, (str, Gpu)):
        raise Error("gpu", "no GPU is named", "gpu= or device= with an id or a name", "forewarp.gpus() lists them")
    problem = TuningProblem(kernel_name, kernel_source, problem_size, arguments, tune_params, gpu=board, grid_div_x=grid_div_x,
                            grid_div_y=grid_div_y, grid_div_z=grid_div_z, restrictions=restrictions, smem_args=smem_args,
                            cmem_args=cmem_args, compiler_options=compiler_options, defines=defines,
                            block_size_names=block_size_names, **options)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        evaluated = list(pool.map(lambda config: _evaluated(problem, config, iterations), problem.configurations()))
    whys = [why for _, why in evaluated if why is not None]
    if whys and len(whys) == len(evaluated):
        raise whys[0]
    if verbose:
        for entry, why in evaluated:
            if why is not None:
                print(f"skipping {', '.join(f'{name}={entry[name]}' for name in tune_params)}: {why}")
    results = sorted((_with_metrics(entry, metrics or {}) for entry, _ in evaluated), key=lambda entry: entry.get("time", MOST_COST))
    env = environment(problem.gpu, iterations, compiler_options)
    stages = ("framework", "strategy", "compile", "verification", "benchmark")
    env.update({f"total_{stage}_time": sum(entry[f"{stage}_time"] for entry in results) for stage in stages})
    env["overhead_time"] = 1000 * (time.perf_counter() - began)
    if results:
        env["best_config"] = results[0]
        if not quiet:
            best = ", ".join(f"{name}={results[0][name]}" for name in (*tune_params, *(metrics or {})))
            print(f"predicted for {problem.gpu.name}: {best}: {results[0]['time']:.4g} ms")
    return results, env


class _Compiled:
    """What the backend's ``compile`` gives: a kernel to run, by prediction."""

    def __init__(self, kernel: Kernel, num_regs: int | None) -> None:
        self.kernel, self.num_regs = kernel, num_regs
        self.results: dict[Any, Result] = {}


class _PredictedTime:
    """An observer in Kernel Tuner's sense: the time of each run."""

    def __init__(self, backend: PredictingBackend) -> None:
        self.dev = backend
        self.times: list[float] = []

    def register_device(self, dev): ...
    def register_configuration(self, params): ...
    def before_start(self): ...
    def after_start(self): ...
    def during(self): ...

    def after_finish(self):
        self.times.append(self.dev.last.time_ms)

    def get_results(self):
        times, self.times = self.times, []
        return {"time": float(np.average(times)), "times": times}


class PredictingBackend:
    """The methods of a GPU backend of kernel_tuner 1.4.0 by prediction. Memory stays on the host, results of kernels are
    never computed: ``answer`` and ``verify`` see what was there before."""

    gpu: str | Gpu = ""
    options: dict[str, Any] = {}
    units = {"time": "ms"}

    def __init__(self, device=0, iterations=7, compiler_options=None, observers=None):
        board = device if isinstance(device, (str, Gpu)) else self.gpu
        if not board:
            raise Error("gpu", "no GPU is named", "predicting_backend(gpu)")
        self.board = board if isinstance(board, Gpu) else board_named(board)
        self.compiler_options = list(compiler_options or [])
        self.max_threads, self.name = self.board.max_threads_per_block, self.board.name
        self.env = environment(self.board, iterations, compiler_options)
        self.smem_size, self.constants, self.last = 0, {}, None
        self.observers = [*(observers or []), _PredictedTime(self)]
        for observer in self.observers:
            observer.register_device(self)

    def ready_argument_list(self, arguments):
        return [contents(value, str(place)) if isinstance(value, np.ndarray) else value for place, value in enumerate(arguments)]

    def compile(self, kernel_instance):
        kernel = load(kernel_instance.kernel_string + "\n", kernel_instance.name, self.compiler_options)
        found = [entry for entry in kernel.kernels(self.board.cc) if kernel_instance.name in (entry.name, entry.mangled)]
        return _Compiled(kernel, found[0].registers if found else None)

    def run_kernel(self, func, gpu_args, threads, grid, stream=None):
        key = (tuple(threads), tuple(grid), self.smem_size)
        if key not in func.results:
            given = {"timing": "event", "warm": True, "budget": 0.2, **self.options}
            launch = func.kernel.launch(gpu=self.board, grid=grid, block=threads, args=list(gpu_args), smem=self.smem_size,
                                        constants=self.constants, **given)
            try:
                func.results[key] = launch.predict()
            except Error as why:
                # Kernel Tuner goes on to the next configuration where a message has these words.
                refused = "too many resources requested for launch: " if why.place == "launch" else ""
                raise RuntimeError(f"{refused}{why}") from why
        self.last = func.results[key]

    def copy_constant_memory_args(self, cmem_args):
        self.constants = {name: contents(np.atleast_1d(value), name) for name, value in cmem_args.items()}

    def copy_shared_memory_args(self, smem_args):
        self.smem_size = int(smem_args["size"])

    def copy_texture_memory_args(self, texmem_args):
        raise NotImplementedError("textures cannot be predicted from their contents")

    def refresh_memory(self, device_memory, host_arguments, should_sync): ...
    def memset(self, allocation, value, size): ...
    def memcpy_htod(self, dest, src): ...
    def start_event(self): ...
    def stop_event(self): ...
    def synchronize(self): ...

    def memcpy_dtoh(self, dest, src):
        raise NotImplementedError("a predicted kernel leaves no results: leave out answer and verify")

    def kernel_finished(self):
        return True


@contextlib.contextmanager
def predicting_backend(gpu: str | Gpu, **options: Any) -> Iterator[type[PredictingBackend]]:
    """Within it, ``kernel_tuner.tune_kernel(.., lang="CUPY")`` predicts in place of running, with all its own strategies,
    caches and metrics: its CuPy backend is replaced. ``options`` are those of ``Kernel.launch``."""
    base = importlib.import_module("kernel_tuner.backends.backend").GPUBackend
    place: Any = importlib.import_module("kernel_tuner.backends.cupy")
    backend = type("PredictingBackend", (PredictingBackend, base), {"gpu": gpu, "options": options})
    before = place.CupyFunctions
    place.CupyFunctions = backend
    try:
        yield backend
    finally:
        place.CupyFunctions = before


class PredictedFirst:
    """A strategy for ``kernel_tuner.tune_kernel(.., strategy=PredictedFirst(gpu))``: all configurations are predicted, and the
    best of them measured, ``max_fevals`` of the strategy's options or ``most`` many."""

    def __init__(self, gpu: str | Gpu, most: int = 10, **options: Any) -> None:
        self.gpu, self.most, self.options = gpu, most, options

    def tune(self, searchspace, runner, tuning_options):
        """Called by Kernel Tuner with its search space, its runner and its options."""
        problem = self._problem(runner, tuning_options)
        configs = [tuple(config) for config in searchspace.sorted_list()]
        with ThreadPoolExecutor() as pool:
            costs = list(pool.map(problem.cost, configs))
        order = sorted(range(len(configs)), key=lambda place: costs[place])
        most = (tuning_options.strategy_options or {}).get("max_fevals", self.most)
        return runner.run([configs[place] for place in order[:most]], tuning_options)

    def _problem(self, runner: Any, tuning_options: Any) -> TuningProblem:
        kernel = runner.kernel_options
        names: Sequence[str] = ("grid_div_x", "grid_div_y", "grid_div_z", "smem_args", "cmem_args", "block_size_names", "defines")
        return TuningProblem(kernel["kernel_name"], runner.kernel_source.kernel_sources, kernel["problem_size"], kernel["arguments"],
                             tuning_options["tune_params"], gpu=self.gpu, **{name: kernel.get(name) for name in names}, **self.options)
