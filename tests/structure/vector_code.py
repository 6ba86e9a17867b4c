# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the executor's inner loops are compiled to AVX2, and only where a processor is asked first.

    vector_code.py PROGRAM      a program that holds the executor, built for x86-64 with optimisation
"""
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "command"))
import needs  # noqa: E402

# Inner loops over the lanes of a warp that must work on whole registers of the processor.
WANTED = ("move", "add", "multiply_add", "shift_add", "logic", "shift_left", "shift_right", "minimum_maximum",
          "select", "compare", "float_add", "float_multiply", "float_multiply_add", "compare_floating",
          "integer_to_float", "near_addresses", "far_addresses", "inside", "alike")


def functions(program):
    """(name, uses 256-bit registers) of every function of the two builds of the lane operations"""
    text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", program], capture_output=True, text=True,
                          check=True).stdout
    for part in re.split(r"\n(?=[0-9a-f]+ <)", text):
        head = re.match(r"[0-9a-f]+ <(.*?forewarp::execution::(avx2|portable)::(\w+).*?)>:", part)
        if head:
            yield head.group(2), head.group(3), "%ymm" in part


def main():
    if needs.lacks("vector_code", needs.program("objdump")):
        return needs.SKIPPED
    wide = {"avx2": set(), "portable": set()}
    for build, name, uses in functions(sys.argv[1]):
        if uses:
            wide[build].add(name)
    faults = [f"forewarp::execution::avx2::{name} uses no 256-bit register" for name in WANTED if name not in wide["avx2"]]
    faults += [f"forewarp::execution::portable::{name} needs AVX" for name in sorted(wide["portable"])]
    for fault in faults:
        print(f"vector_code: {fault}")
    if not faults:
        print(f"vector_code: {len(wide['avx2'])} functions with 256-bit registers, chosen at run time")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
