# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The one session of a process: GPU data, and the kernels and launches that were read and executed."""
from __future__ import annotations

import os
import threading
from pathlib import Path

from . import _core
from .records import Record

_lock = threading.Lock()
_sessions: dict[str, _core.Session] = {}


def _data_folder() -> str:
    """FOREWARP_DATA, the package's own folder, that of an installation around it, or what the sources have."""
    stated = os.environ.get("FOREWARP_DATA", "")
    if stated:
        return ""  # the session reads it, and says what is wrong with it
    package = Path(__file__).resolve().parent
    for folder in (package / "data", *(parent / "share" / "forewarp" / "data" for parent in package.parents)):
        if (folder / "gpus").is_dir():
            return str(folder)
    return ""


def session() -> _core.Session:
    """Made when first asked for, and again when FOREWARP_DATA says something else."""
    key = os.environ.get("FOREWARP_DATA", "")
    with _lock:
        if key not in _sessions:
            _sessions[key] = _core.Session(_data_folder())
        return _sessions[key]


def models() -> tuple[Record, ...]:
    """Every model: ``name``, ``sentence``, ``reference`` and its ``options`` (``name``, ``kind``, ``default``, ``sentence``)."""
    return tuple(Record(entry) for entry in _core.models())
