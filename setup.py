# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: CMake builds the module, and the GPU data go into the package.

FOREWARP_BUILD=FOLDER takes an existing build folder of CMake (build/release) in place of its own, build/wheel.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


class BuildModule(build_ext):
    """forewarp._core by the CMake target of that module."""

    def build_extension(self, ext):
        # A folder of the same depth as the presets': a compiler cache then shares their objects.
        build = Path(os.environ.get("FOREWARP_BUILD") or ROOT / "build" / "wheel").resolve()
        if not (build / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DFOREWARP_TESTS=OFF", "-DFOREWARP_BENCH=OFF",
                            f"-DFOREWARP_PYTHON_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "forewarp_python"], check=True)
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(build / "python" / "forewarp" / target.name, target)
        subprocess.run(["strip", "--strip-unneeded", target], check=False)


class BuildPackage(build_py):
    """The package with the data folder in it."""

    def run(self):
        super().run()
        shutil.copytree(ROOT / "data", Path(self.build_lib) / "forewarp" / "data", dirs_exist_ok=True)


def version():
    return re.search(r"project\(forewarp VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)


setup(version=version(), ext_modules=[Extension("forewarp._core", [])],
      cmdclass={"build_ext": BuildModule, "build_py": BuildPackage})
