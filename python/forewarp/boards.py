# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""GPUs of the data files, and what of an SM a block takes."""
from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from .options import OptionTexts, option_texts
from .records import Record
from .session import session


class Gpu(Record):
    """A board as numbers: ``id``, ``name``, ``cc``, ``sms``, ``clock_sustained_mhz``, ``memory_gbs`` (theory),
    ``memory_reached_gbs``, .. Every number of its files with unit, source and confidence is in ``facts``."""

    __slots__ = ("asked_as", "changes")

    def __init__(self, fields: dict[str, Any], asked_as: str = "", changes: Mapping[str, Any] | None = None) -> None:
        super().__init__(fields)
        object.__setattr__(self, "asked_as", asked_as or fields["id"])
        object.__setattr__(self, "changes", dict(changes or {}))

    def __repr__(self) -> str:
        return f"<forewarp.Gpu {self.id}: {self.name}, {self.sms} SMs, {self.memory_gbs:.4g} GB/s>"

    def __reduce__(self):
        return Gpu, (self._fields, self.asked_as, self.changes)


def _changes(overrides: Mapping[str, Any] | None) -> dict[str, Any]:
    return {path if path.startswith(("hw.", "link.")) else "hw." + path: value for path, value in (overrides or {}).items()}


def gpu(name: str, overrides: Mapping[str, Any] | None = None) -> Gpu:
    """The board of an id, a marketing name, or a ``.toml`` file. ``overrides`` change its numbers, as ``--set`` does:
    ``{"memory.latency_cycles": 500, "l2.bytes": "x2"}``. ``Error``: no such board, or several of this name."""
    changes = _changes(overrides)
    return Gpu(json.loads(session().gpu(name, option_texts({"set": changes}))), name, changes)


def gpus() -> tuple[Gpu, ...]:
    """Every board of the data files in the order of their ids, without ``facts``."""
    return tuple(Gpu(row) for row in json.loads(session().gpus()))


def convert(value: float, unit: str, gpu: str, *, clock_mhz: float = 0, bytes: float = 0, instructions: float = 1) -> dict[str, float]:
    """A rate of one kind of instruction in all units, by their names: ``GB/s``, ``B/cycle/SM``, ``IPC/SM``,
    ``ops/cycle/scheduler``, ``warps/cycle/SM``. ``bytes`` are those that one instruction of a warp moves (default: four for
    each lane), ``instructions`` those of this kind that a warp executes, ``clock_mhz`` the SMs' (default: sustained)."""
    return session().convert(value, unit, gpu, clock_mhz, bytes, instructions)


def board_of(asked: str | Gpu | None) -> tuple[str, OptionTexts]:
    """The name that a session takes, and the options that stand for what was changed of it."""
    if isinstance(asked, Gpu):
        return asked.asked_as, option_texts({"set": asked.changes})
    return asked or "", []


def _needs(block: int, regs: int, static_smem: int, smem: int, carveout: int, barriers: int) -> _core.Session.BlockNeeds:
    return _core.Session.BlockNeeds(block, regs, static_smem, smem, carveout, barriers)


def occupancy(gpu: str | Gpu = "", block: int = 0, regs: int = 0, static_smem: int = 0, smem: int = 0, *, cc: str = "",
              carveout: int = -1, barriers: int = 0) -> Record:
    """Resident blocks and warps of an SM for a block of ``block`` threads with ``regs`` registers each and so many bytes
    of shared memory: ``blocks_per_sm``, ``warps_per_sm``, ``max_warps_per_sm``, ``limiter``, ``limits`` in blocks,
    ``shared_charged``, ``shared_carveout``; ``error`` says why such a block does not launch. ``cc="8.6"`` asks for a
    compute capability in place of a board; ``carveout`` is in percent, -1 the largest."""
    needs = _needs(block, regs, static_smem, smem, carveout, barriers)
    return Record(json.loads(session().occupancy(board_of(gpu)[0], cc, needs)))


def occupancy_curve(gpu: str | Gpu = "", along: str = "block", block: int = 0, regs: int = 0, static_smem: int = 0,
                    smem: int = 0, *, cc: str = "", carveout: int = -1, barriers: int = 0) -> np.ndarray:
    """``occupancy`` over ``along``: ``block`` (threads), ``regs`` or ``smem`` (bytes). An array of shape (points,) with the
    fields of that name, ``blocks_per_sm`` and ``warps_per_sm``."""
    needs = _needs(block, regs, static_smem, smem, carveout, barriers)
    rows = json.loads(session().occupancy_curve(board_of(gpu)[0], cc, needs, along))
    fields = [(along, np.int64), ("blocks_per_sm", np.int64), ("warps_per_sm", np.int64)]
    return np.array([tuple(row) for row in rows], dtype=fields)
