# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Pictures with Matplotlib: the roofline, occupancy over a need, and what a sweep found. Each draws on ``axes`` where they
are given, else on a figure of its own, and returns the axes."""
from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from .boards import Gpu, gpu as board_named, occupancy_curve
from .errors import Error
from .results import Result

# Operations on numbers of a thread instruction, by its mnemonic; matrix units are not counted.
_OPERATIONS = {"FADD": 1, "FMUL": 1, "FFMA": 2, "FADD32I": 1, "FMUL32I": 1, "FFMA32I": 2, "DADD": 1, "DMUL": 1, "DFMA": 2,
               "HADD2": 2, "HMUL2": 2, "HFMA2": 4, "MUFU": 1}


def _axes(axes: Any) -> Any:
    return axes if axes is not None else importlib.import_module("matplotlib.pyplot").subplots()[1]


def operations(result: Result) -> float:
    """Floating-point operations of the whole grid, without those of matrix units. ``Error``: they were not counted."""
    counts = result.profile.get("threads_by_opcode")
    if not counts:
        raise Error("roofline", "the kernel was not executed: its operations are not known", "", "predict it without static=True")
    return sum(count * _OPERATIONS.get(name, 0) for name, count in counts.items())


def roofline_point(result: Result) -> tuple[float, float]:
    """(operations per byte of device memory, operations per second) of a prediction."""
    traffic = result.profile.dram_read_bytes + result.profile.dram_write_bytes
    work = operations(result)
    return work / max(traffic, 1.0), work / (result.time_ms / 1000)


def roofline(results: Result | Iterable[Result], gpu: str | Gpu | None = None, axes: Any = None,
             labels: Iterable[str] | None = None) -> Any:
    """Predictions below the roof of their board: single-precision multiply-adds at the sustained clock, and what reading
    reaches of device memory's bandwidth."""
    several = [results] if isinstance(results, Result) else list(results)
    board = gpu if isinstance(gpu, Gpu) else board_named(gpu or several[0].gpu.id)
    axes = _axes(axes)
    roof = 2 * board.cores_per_sm * board.sms * board.clock_sustained_mhz * 1e6
    bandwidth = board.memory_reached_gbs * 1e9
    points = [roofline_point(result) for result in several]
    ridge = roof / bandwidth
    reach = [ridge / 100, ridge * 100, *(intensity for intensity, _ in points if intensity > 0)]
    span = np.geomspace(min(reach), max(reach), 200)
    axes.plot(span, np.minimum(roof, span * bandwidth), color="black", label=f"{board.name}: {roof / 1e12:.3g} TFLOP/s, {bandwidth / 1e9:.3g} GB/s")
    names = list(labels) if labels is not None else [result.kernel.name for result in several]
    for (intensity, rate), name in zip(points, names):
        axes.plot([intensity], [rate], "o", label=name)
    axes.set(xscale="log", yscale="log", xlabel="operations per byte of device memory", ylabel="operations per second")
    axes.legend()
    return axes


def occupancy(gpu: str | Gpu, along: str = "block", axes: Any = None, **needs: Any) -> Any:
    """Resident warps of an SM over ``block``, ``regs`` or ``smem``; ``needs`` are those of ``forewarp.occupancy``. A need that is
    given for ``along`` is marked."""
    given: dict[str, Any] = {"block": 256, "regs": 32, **needs}
    curve = occupancy_curve(gpu, along, **given)
    axes = _axes(axes)
    axes.step(curve[along], curve["warps_per_sm"], where="mid")
    if along in needs:
        axes.axvline(needs[along], color="grey", linestyle=":")
    units = {"block": "threads per block", "regs": "registers per thread", "smem": "dynamic shared memory per block, bytes"}
    axes.set(xlabel=units[along], ylabel="warps per SM", ylim=(0, None))
    return axes


def sweep(table: np.ndarray, x: str, y: str = "time_ms", by: str | None = None, axes: Any = None) -> Any:
    """A column of a sweep over another, with the interval where it is known; ``by`` parts the rows into lines."""
    for name in filter(None, (x, y, by)):
        if name not in (table.dtype.names or ()):
            raise Error("plot.sweep", f"no column '{name}'", "one of " + ", ".join(table.dtype.names or ()))
    axes = _axes(axes)
    for value in np.unique(table[by]) if by else [None]:
        rows = table if by is None else table[table[by] == value]
        rows = rows[np.argsort(rows[x], kind="stable")]
        axes.plot(rows[x], rows[y], marker="." if len(rows) < 100 else "", label=None if by is None else f"{by} = {value}")
        if y == "time_ms" and np.any(np.isfinite(rows["low_ms"])):
            axes.fill_between(rows[x], rows["low_ms"], rows["high_ms"], alpha=0.2)
    axes.set(xlabel=x, ylabel="time, ms" if y == "time_ms" else y)
    if by:
        axes.legend()
    return axes
