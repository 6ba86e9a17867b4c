# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Stands in for cupy 13: what of raw kernels and arrays forewarp.cupy meets."""
import numpy


class RawKernel:
    def __init__(self, code, name, options=(), backend="nvrtc", *, translate_cucomplex=False, enable_cooperative_groups=False, jitify=False):
        self.code, self.name, self.options, self.backend = code, name, options, backend
        self.translate_cucomplex, self.enable_cooperative_groups, self.jitify = translate_cucomplex, enable_cooperative_groups, jitify
        self.file_path = None


class RawModule:
    def __init__(self, *, code=None, path=None, options=(), backend="nvrtc", translate_cucomplex=False, enable_cooperative_groups=False,
                 name_expressions=None, jitify=False):
        self.code, self.file_path, self.options, self.backend = code, path, options, backend
        self.name_expressions = name_expressions


class ndarray:
    """An array on a device: its place, shape and type, and no way to its elements."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = shape, numpy.dtype(dtype)
        self.__cuda_array_interface__ = {"shape": shape, "typestr": self.dtype.str, "data": (0x7F0000000000, False), "version": 3}
