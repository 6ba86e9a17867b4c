# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Applications on systems, each simulated by a process of forewarp-system."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import Error
from .records import Record


class Simulation(Record):
    """What ``forewarp simulate --format json`` answers (docs/system.md): ``time_s``, ``energy_ws``, ``processes`` .."""

    __slots__ = ()


def _program() -> str:
    """$FOREWARP_SYSTEM, what PATH has, or the one of the build folder that this package lies in."""
    given = os.environ.get("FOREWARP_SYSTEM")
    beside = Path(__file__).resolve().parents[2] / "tools" / "forewarp" / "forewarp-system"
    found = given or shutil.which("forewarp-system") or (str(beside) if beside.exists() else None)
    if found is None:
        raise Error("forewarp-system", "is not on PATH", "the program that simulates applications",
                    "FOREWARP_SYSTEM names its file")
    return found


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def simulate(system: str | os.PathLike[str], application: str | os.PathLike[str], *, variables: Mapping[str, Any] | None = None,
             processes: Mapping[str, int] | None = None, change: Mapping[str, Any] | None = None,
             kernels: str | os.PathLike[str] | None = None, beyond_memory: bool = False,
             trace: str | os.PathLike[str] | None = None) -> Simulation:
    """Simulates an application (a script, or a trace) on a system. ``variables`` are those that it declares, ``processes`` how
    many of a label run, ``change`` values in the system's file (``{"gpu.hardware": "a100-pcie-40"}``); ``trace`` is where the
    timeline goes. Every call is a process of its own, so that simulations neither see nor delay each other."""
    words = [_program(), "simulate", os.fspath(system), os.fspath(application), "--format", "json"]
    for option, values in (("--set", variables), ("--processes", processes), ("--change", change)):
        for name, value in (values or {}).items():
            words += [option, f"{name}={_text(value)}"]
    if kernels is not None:
        words += ["--kernels", os.fspath(kernels)]
    if trace is not None:
        words += ["--trace", os.fspath(trace)]
    if beyond_memory:
        words.append("--beyond-memory")
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        lines = ran.stderr.strip().splitlines() or [f"forewarp-system ended with code {ran.returncode}"]
        raise Error("", lines[-1].removeprefix("forewarp: "))
    return Simulation(json.loads(ran.stdout))
