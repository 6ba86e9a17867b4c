# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The CUDA toolkit of tests that compile."""
import os
import shutil
import subprocess
import unittest
from pathlib import Path


def nvcc():
    """The compiler with its host compiler as words of a command; skips the test where there is no whole toolkit for sm_70."""
    home = os.environ.get("CUDA_HOME")
    found = shutil.which("nvcc", path=f"{home}/bin") if home else shutil.which("nvcc")
    if not found:
        raise unittest.SkipTest("no CUDA toolkit")
    if not all((Path(found).parent / tool).exists() for tool in ("cuobjdump", "nvdisasm")):
        raise unittest.SkipTest("nvcc stands alone: no whole CUDA toolkit")
    known = subprocess.run([found, "--list-gpu-arch"], capture_output=True, text=True, check=False).stdout
    if "compute_70" not in known:
        raise unittest.SkipTest("the CUDA toolkit compiles for sm_70 no more")
    host = next((path for name in ("g++-11", "g++-10") if (path := shutil.which(name))), None)
    return [found, *(["-ccbin", host] if host else [])]
