# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels that Triton compiled, as Triton 3 has them: what ``kernel.warmup(.., grid=(1,))`` and ``kernel[grid](..)`` give.

    compiled = add_kernel.warmup(x, y, out, n, BLOCK=1024, grid=(1,))
    forewarp.triton.load(compiled).predict(gpu="h100-sxm-80", grid=n // 1024, args=[x, y, out, n])

Arguments are those of the compiled kernel: constants of the source are none of them.
"""
from __future__ import annotations

from typing import Any

from .errors import Error
from .kernels import Kernel, load as load_code
from .launches import Boards, Launch, Sizes


class TritonKernel(Kernel):
    """A kernel that knows its block and its shared memory."""

    def __init__(self, kernel: Kernel, threads: int, shared: int) -> None:
        super().__init__(kernel.source, kernel.name, kernel._content)
        self.threads, self.shared = threads, shared

    def launch(self, gpu: Boards = None, grid: Sizes | None = None, block: Sizes | None = None, args: Any = (),
               smem: int | None = None, model: Any = None, **options: Any) -> Launch:
        """As ``Kernel.launch``; block and shared memory are those that the kernel was compiled for."""
        return super().launch(gpu, grid, block or self.threads, args, self.shared if smem is None else smem, model, **options)


def _of(metadata: Any, name: str, otherwise: Any) -> Any:
    return metadata.get(name, otherwise) if isinstance(metadata, dict) else getattr(metadata, name, otherwise)


def load(compiled: Any, form: str = "ptx") -> TritonKernel:
    """The kernel as ``ptx``, which is compiled for the GPU asked, or as the ``cubin`` that Triton made. ``Error``: an object
    without them."""
    code, metadata = getattr(compiled, "asm", {}), getattr(compiled, "metadata", None)
    if form not in code or metadata is None:
        raise Error("triton", f"a {type(compiled).__name__} with {', '.join(code) or 'no code'}", f"a compiled kernel with '{form}'")
    lanes = int(_of(_of(metadata, "target", None), "warp_size", 0))
    if lanes == 0:
        raise Error("triton", "metadata without the target's warp_size", "those of Triton 3")
    kernel = load_code(code[form] if isinstance(code[form], bytes) else code[form] + "\n", _of(metadata, "name", ""))
    return TritonKernel(kernel, int(_of(metadata, "num_warps", 0)) * lanes, int(_of(metadata, "shared", 0)))
