# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Stands in for triton 3: a compiled kernel as its runtime gives it."""
from collections import namedtuple

GPUTarget = namedtuple("GPUTarget", "backend arch warp_size")
Metadata = namedtuple("Metadata", "name num_warps num_stages num_ctas shared target")


class CompiledKernel:
    def __init__(self, asm, **metadata):
        self.asm = asm
        self.metadata = Metadata(**metadata)
        self.name = self.metadata.name
