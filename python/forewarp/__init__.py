# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Forewarp: how long a compiled GPU kernel takes on a given GPU, and why, without running it.

    import forewarp
    kernel = forewarp.load("examples/saxpy2.sass")
    result = kernel.predict(gpu="gtx970", grid=1562500, block=256, args={"n": 400_000_000, "a": 128})
    result.time_ms, result.interval_ms, result.limited_by.sentence

Times are milliseconds, sizes bytes, clocks MHz, shares 0..1. What cannot be done is an ``Error`` with one line: place,
found, expected, way out. Every function may be called from several threads; predicting releases Python's lock.
"""
try:
    from ._core import version as __version__
except ModuleNotFoundError:
    raise ImportError("forewarp: the Python package was not built; run scripts/build in Forewarp's sources, which installs what is missing "
                      "and builds all parts, then set PYTHONPATH to build/release/python") from None
from .arguments import Buffer, buffer, contents
from .boards import Gpu, convert, gpu, gpus, occupancy, occupancy_curve
from .errors import Error
from .kernels import Kernel, load
from .launches import Launch, compare, sweep
from .options import options
from .records import Record
from .results import Comparison, Result
from .session import models
from .systems import Simulation, simulate

__all__ = ["Buffer", "Comparison", "Error", "Gpu", "Kernel", "Launch", "Record", "Result", "Simulation", "__version__",
           "buffer", "compare", "contents", "convert", "gpu", "gpus", "load", "models", "occupancy", "occupancy_curve", "options", "simulate",
           "sweep"]
