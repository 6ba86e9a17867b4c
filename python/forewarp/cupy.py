# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels of CuPy: ``cupy.RawKernel`` and ``cupy.RawModule`` as CuPy 13 has them, predicted without a GPU.

    kernel = forewarp.cupy.load(cupy.RawKernel(code, "axpy"))
    kernel.predict(gpu="t4", grid=(4096,), block=(256,), args=(r, numpy.float32(2), x, y))

Arguments as for CuPy: its arrays are buffers whose contents are not known; NumPy's arrays bring theirs.
"""
from __future__ import annotations

from typing import Any

from .errors import Error
from .kernels import Kernel, load as load_code

_STANDARD = "-std=c++14"  # what CuPy asks its compiler for where the options do not say
_OWN_OPTIONS = ("--gpu-architecture", "-arch", "--device-as-default-execution-space", "-default-device")


def compile_options(options: Any) -> list[str]:
    """Options for NVRTC as nvcc takes them; the architecture follows the GPU."""
    kept = [option.replace("--std=", "-std=") for option in options if not option.startswith(_OWN_OPTIONS)]
    return kept if any(option.startswith("-std=") for option in kept) else [_STANDARD, *kept]


def load(raw: Any, kernel: str = "") -> Kernel:
    """The kernel of a ``RawKernel``, or the one named ``kernel`` of a ``RawModule``. ``Error``: neither of them."""
    code, path = getattr(raw, "code", None), getattr(raw, "file_path", None)
    if not code and not path:
        raise Error("cupy", f"is a {type(raw).__name__}", "a RawKernel or a RawModule with its code or its file")
    name = kernel or getattr(raw, "name", "")
    if not code:
        return load_code(str(path), name)
    return load_code(code + "\n", name, compile_options(getattr(raw, "options", ())))
