# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What a test needs and a machine may lack. A test is skipped here and nowhere else, with a line that scripts/test counts.

    @needs(TOOLKIT)             a test, or every test of a class
    want(self, TOOLKIT)         from here on in a test
    lacks("name", TOOLKIT)      anything else that is left out: says so and is true where something is missing
"""
import functools
import importlib.util
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SKIPPED = 77  # the exit code of a script that did nothing at all


class Need:
    """Something by its name, as in "no CUDA toolkit"; whether it is here is asked once."""

    def __init__(self, name, here):
        self.name, self.here = name, functools.cache(here)


def program(name):
    return Need(name, lambda: shutil.which(name) is not None)


def module(name, title):
    return Need(title, lambda: importlib.util.find_spec(name) is not None)


def built(name, tool):
    """A program beside forewarp, which is built where its libraries are."""
    return Need(name, (Path(tool).resolve().parent / name).exists)


def ranks(tool):
    """mpirun, and a forewarp-study that was built with it."""
    study = Path(tool).resolve().parent / "forewarp-study"

    def here():
        linked = subprocess.run(["ldd", study], capture_output=True, text=True, check=False).stdout if study.exists() else ""
        return shutil.which("mpirun") is not None and "libmpi" in linked
    return Need("Open MPI", here)


@functools.cache
def nvcc():
    """The CUDA compiler, with a host compiler that it takes, as words of a command; none where forewarp would find no whole
    toolkit, or one that does not compile for sm_70."""
    places = [os.environ.get("CUDA_HOME"), *os.environ.get("PATH", "").split(":"), "/usr/local/cuda", "/usr/lib/nvidia-cuda-toolkit"]
    folders = [folder for place in places if place for folder in (Path(place) / "bin", Path(place))]
    tools = ("nvcc", "ptxas", "cuobjdump", "nvdisasm")
    compiler = next((folder / "nvcc" for folder in folders if all(os.access(folder / tool, os.X_OK) for tool in tools)), None)
    if compiler is None:
        return None
    hosts = [path for name in ("g++-11", "g++-10", "g++-9") if (path := shutil.which(name))]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "trial.cu"
        source.write_text("__global__ void trial() {}\n", encoding="utf-8")
        for host in (None, *hosts):
            words = [str(compiler), *(["-ccbin", host] if host else [])]
            if subprocess.run([*words, "-arch=sm_70", "-cubin", "-o", source.with_suffix(".cubin"), source], capture_output=True, check=False).returncode == 0:
                return words
    return None


@functools.cache
def has_nvvm():
    """Whether Numba and the NVVM that it finds go together: a trial, as versions of the two differ."""
    try:
        from numba import cuda, types

        def first(values):
            values[0] = 1

        cuda.compile_ptx(first, (types.float32[:],), cc=(7, 5))
    except Exception:  # whatever is not there
        return False
    return True


def compiles_for(architecture):
    compiler = nvcc()
    if compiler is None:
        return False
    listed = subprocess.run([compiler[0], "--list-gpu-arch"], capture_output=True, text=True, check=False).stdout
    return f"compute_{architecture}" in listed.split()


TOOLKIT = Need("CUDA toolkit", lambda: nvcc() is not None)
OLD_TOOLKIT = Need("CUDA toolkit for sm_35", lambda: compiles_for(35))
MATPLOTLIB = module("matplotlib", "Matplotlib")
NUMBA = module("numba", "Numba")
NVVM = Need("Numba with NVVM", has_nvvm)
GROFF = program("groff")
OBJDUMP = program("objdump")
SHARED_MEMORY = Need("/dev/shm", Path("/dev/shm").is_dir)


def missing(wanted):
    return next((need for need in wanted if not need.here()), None)


def lacks(name, *wanted):
    lacking = missing(wanted)
    if lacking:
        # By itself and from the start of a line, whatever a runner of tests has written before.
        os.write(1, f"\nskipped: {name}: no {lacking.name}\n".encode())
    return lacking is not None


def want(test, *wanted):
    if lacks(test.id(), *wanted):
        raise unittest.SkipTest(f"no {missing(wanted).name}")


def needs(*wanted):
    def of_test(method):
        @functools.wraps(method)
        def checked(self, *words, **options):
            want(self, *wanted)
            return method(self, *words, **options)
        return checked

    def of_class(tests):
        """The class prepares nothing where each of its tests will be skipped."""
        for name in ("setUpClass", "tearDownClass"):
            prepare = getattr(tests, name).__func__
            setattr(tests, name, classmethod(lambda cls, prepare=prepare: None if missing(wanted) else prepare(cls)))
        tests.setUp = of_test(tests.setUp)
        return tests

    return lambda item: of_class(item) if isinstance(item, type) else of_test(item)
