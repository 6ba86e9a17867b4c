# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels that Numba compiles: ``@cuda.jit`` functions, predicted for any GPU without one.

    kernel = forewarp.numba.load(axpy)
    kernel.predict(gpu="t4", grid=4096, block=256, args=[r, numpy.float32(2), x, y])

Numba 0.56 with its NVVM library (``CUDA_HOME``) makes the PTX; a CUDA toolkit compiles it for the GPU.
"""
from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from .arguments import Buffer, contents
from .boards import Gpu, gpu as board_named
from .errors import Error
from .kernels import Kernel, load as load_code
from .launches import Launch, Sizes
from .results import Result

# What Numba hands over of a number: its own type of Python's numbers.
_NUMBERS = {bool: np.uint8, int: np.int64, float: np.float64}


def flat_arguments(arguments: list[Any] | tuple[Any, ...]) -> list[Any]:
    """Arguments of a Numba function as those of its kernel. An array is seven or more of them: two pointers that a GPU does
    not follow, the number of elements, bytes of an element, the data, then the shape and the strides (bytes) of every
    dimension. A tuple is its items. ``Error``: another type."""
    flat: list[Any] = []
    for place, value in enumerate(arguments):
        if isinstance(value, (tuple, list)):
            flat += flat_arguments(value)
        elif isinstance(value, np.ndarray) or hasattr(value, "__cuda_array_interface__"):
            flat += _array_arguments(value)
        elif isinstance(value, np.bool_):
            flat.append(np.uint8(value))
        elif isinstance(value, np.generic):
            flat.append(value)
        elif type(value) in _NUMBERS:
            flat.append(_NUMBERS[type(value)](value))
        else:
            raise Error(f"argument {place}", f"is a {type(value).__name__}", "a number, a NumPy or device array, or a tuple of them")
    return flat


def _array_arguments(array: Any) -> list[Any]:
    data: Any = array
    if isinstance(array, np.ndarray):
        if not (array.flags.c_contiguous or array.flags.f_contiguous):
            raise Error("argument", "an array with gaps between its elements", "one block of memory, as Numba copies it",
                        "numpy.ascontiguousarray(..)")
        data = contents(array.reshape(-1, order="A"))
    else:
        device = array.__cuda_array_interface__
        data = Buffer(int(np.prod(device["shape"])) * np.dtype(device["typestr"]).itemsize)
    sizes = [array.size, array.dtype.itemsize]
    return [np.int64(0), np.int64(0), *map(np.int64, sizes), data, *map(np.int64, array.shape), *map(np.int64, array.strides)]


class NumbaKernel:
    """A ``@cuda.jit`` function. It is compiled anew for other types of arguments and other compute capabilities."""

    def __init__(self, dispatcher: Any) -> None:
        if not hasattr(dispatcher, "py_func"):
            raise Error("numba", f"is a {type(dispatcher).__name__}", "a function that numba.cuda.jit made")
        self.dispatcher = dispatcher
        self._kernels: dict[Any, Kernel] = {}

    def __repr__(self) -> str:
        return f"<forewarp.numba.NumbaKernel {self.dispatcher.py_func.__name__}>"

    def ptx(self, args: list[Any] | tuple[Any, ...], cc: tuple[int, int]) -> str:
        """The PTX for these arguments and the nearest compute capability up to ``cc`` that Numba knows."""
        numba, cuda = importlib.import_module("numba"), importlib.import_module("numba.cuda")
        signature = tuple(numba.typeof(value) for value in args)
        chosen = getattr(self.dispatcher, "targetoptions", {})
        options = {name: chosen[name] for name in ("debug", "fastmath", "opt", "lineinfo") if name in chosen}
        faults = importlib.import_module("numba.cuda.cudadrv.error")
        try:
            return cuda.compile_ptx(self.dispatcher.py_func, signature, device=False, cc=cc, **options)[0]
        except (faults.NvvmSupportError, faults.NvvmError) as why:  # none, or one that this Numba cannot use
            said = next((line for line in str(why).splitlines()[::-1] if line.strip()), "failed")
            raise Error("numba", said, "a library of NVVM that this Numba knows", "set CUDA_HOME to a toolkit that has nvvm/lib64") from None

    def kernel(self, gpu: str | Gpu, args: list[Any] | tuple[Any, ...]) -> Kernel:
        """The kernel for these arguments on this GPU."""
        board = gpu if isinstance(gpu, Gpu) else board_named(gpu)
        major, minor = (int(part) for part in board.cc.split("."))
        types = tuple(str(importlib.import_module("numba").typeof(value)) for value in args)
        key = (types, major, minor)
        if key not in self._kernels:
            self._kernels[key] = load_code(self.ptx(args, (major, minor)))
        return self._kernels[key]

    def launch(self, gpu: str | Gpu, grid: Sizes, block: Sizes, args: list[Any] | tuple[Any, ...] = (), smem: int | None = None,
               **options: Any) -> Launch:
        """As ``Kernel.launch`` on one GPU, with the arguments that the Numba function takes."""
        return self.kernel(gpu, args).launch(gpu, grid, block, flat_arguments(args), smem, **options)

    def predict(self, gpu: str | Gpu, grid: Sizes, block: Sizes, args: list[Any] | tuple[Any, ...] = (), smem: int | None = None,
                **options: Any) -> Result:
        """``launch(..).predict()``."""
        return self.launch(gpu, grid, block, args, smem, **options).predict()


def load(dispatcher: Any) -> NumbaKernel:
    """A function that ``numba.cuda.jit`` made. It need not have been compiled, and no GPU need be there."""
    return NumbaKernel(dispatcher)
