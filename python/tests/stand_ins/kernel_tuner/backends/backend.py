# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What every GPU backend must have; a class that lacks one of them cannot be made."""
from abc import ABC, abstractmethod

METHODS = {"ready_argument_list": ("arguments",), "compile": ("kernel_instance",), "start_event": (), "stop_event": (),
           "kernel_finished": (), "synchronize": (), "run_kernel": ("func", "gpu_args", "threads", "grid", "stream"),
           "memset": ("allocation", "value", "size"), "memcpy_dtoh": ("dest", "src"), "memcpy_htod": ("dest", "src"),
           "refresh_memory": ("device_memory", "host_arguments", "should_sync"), "copy_constant_memory_args": ("cmem_args",),
           "copy_shared_memory_args": ("smem_args",), "copy_texture_memory_args": ("texmem_args",)}


class GPUBackend(ABC):
    @abstractmethod
    def __init__(self, device, iterations, compiler_options, observers): ...


for name in METHODS:
    setattr(GPUBackend, name, abstractmethod(lambda self, *given: None))
GPUBackend.__abstractmethods__ = frozenset({"__init__", *METHODS})
