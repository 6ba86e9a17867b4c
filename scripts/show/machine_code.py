# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Machine code for scripts/show/instant: made by a toolkit out of our kernels, and compared with what its disassembler prints."""
import collections
import os
import re
import shutil
import struct
import subprocess
import time

from showing import ROOT, Skip, run

# One of each family; the others of a family have the same encoding.
ARCHITECTURES = ("sm_52", "sm_61", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90")
MODES = {"O3": [], "O0": ["-Xptxas", "-O0"], "G": ["-G"]}


def nvcc(home, *arguments):
    environment = {**os.environ, "PATH": f"{home}/bin:{os.environ['PATH']}"}
    older = shutil.which("g++-11")  # CUDA 11 takes no newer one
    return run(home / "bin" / "nvcc", "-w", *(("-ccbin", older) if older else ()), *arguments, env=environment)


def compiled(home, folder, most):
    """Cubins of our kernels for every family, optimised, not optimised and for debugging; made once."""
    sources = sorted((ROOT / "validation" / "kernels").glob("*.cu")) + sorted((ROOT / "tests" / "fixtures" / "kernels").glob("*.cu"))
    chosen = sources[:: max(1, len(sources) // most)][:most]
    made = []
    for arch in ARCHITECTURES:
        (folder / arch).mkdir(parents=True, exist_ok=True)
        for source in chosen:
            for mode, options in MODES.items():
                file = folder / arch / f"{source.stem}.{mode}.cubin"
                if not file.exists():
                    try:
                        nvcc(home, "-cubin", f"-arch={arch}", *options, "-o", file, source)
                    except RuntimeError:  # what an architecture lacks
                        continue
                made.append(file)
    return made


INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(.*?)\s*(?:;|\}|$)")


def instructions(text, brackets):
    """(function, address) -> text without blanks."""
    found, function = {}, ""
    for line in text.splitlines():
        if "Function : " in line:
            function = line.split("Function : ")[1].strip()
        elif match := INSTRUCTION.search(line):
            body = match.group(2).strip()
            if brackets and body.startswith("{"):
                body = body[1:]
            found[function, int(match.group(1), 16)] = "".join(body.split())
    return found


def kind_of(theirs):
    return re.sub(r"^@!?U?P\w+", "", theirs)


def compare(files, home, program):
    """Counts by architecture, differences by mnemonic, and MB/s of both over the same files."""
    counts, kinds = {}, collections.Counter()
    theirs_time = 0.0
    code = 0
    for file in files:
        start = time.monotonic()
        printed = run(home / "bin" / "cuobjdump", "-sass", file, check=False).stdout
        theirs_time += time.monotonic() - start
        if not (arch := re.search(r"code for sm_(\d+)", printed)):
            continue
        theirs = instructions(printed, True)
        ours = instructions(run(program, "--print", file).stdout, False)
        count = counts.setdefault(int(arch.group(1)), {"all": 0, "same": 0, "unknown": 0})
        for place, text in theirs.items():
            mine = ours.get(place, "unknown")
            if "desc[" not in text:  # CUDA 11.8 leaves out the descriptor of a global access
                mine = re.sub(r"desc\[UR\d+\]", "", mine)
            count["all"] += 1
            if mine == text:
                count["same"] += 1
                continue
            count["unknown"] += mine == "unknown"
            name = re.match(r"(?:@!?U?P\w)?([A-Z0-9_]+)", text)
            kinds[f"sm_{arch.group(1)} {name.group(1) if name else text[:20]}{' unknown' if mine == 'unknown' else ''}"] += 1
        code += len(theirs) * (16 if int(arch.group(1)) >= 70 else 8)
    ours_line = run(program, *files).stdout
    ours = float(re.search(r"([\d.]+) MB/s", ours_line).group(1))
    return counts, kinds, (ours, code / 1e6 / max(theirs_time, 1e-9))


SAXPY = ROOT / "tests" / "fixtures" / "kernels" / "saxpy2.cu"


def built(home, folder, kind):
    """saxpy2 as a cubin, an executable or a shared library; compressed as nvcc does by itself."""
    if kind == "cubin":
        nvcc(home, "-cubin", "-arch=sm_80", "-o", folder / "saxpy2.cubin", SAXPY)
        return folder / "saxpy2.cubin"
    main = folder / "main.cu"
    main.write_text(SAXPY.read_text() + "\nint main() { return 0; }\n")
    codes = [f"-gencode=arch=compute_{a},code=sm_{a}" for a in (52, 70, 80)]
    library = kind == "shared library"
    file = folder / ("libsaxpy2.so" if library else "saxpy2")
    nvcc(home, *codes, "-cudart", "shared", *(["-shared", "-Xcompiler", "-fPIC"] if library else []), "-o", file, main)
    return file


KERNEL = """extern "C" __global__ void NAME(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = x[i];
#pragma unroll
  for (int k = 0; k < LENGTH; ++k) a = a * (1.0f + k * 0.5f) + STEP;
  y[i] = a;
}
"""


def kernels(file, count, length, prefix):
    file.write_text("".join(KERNEL.replace("NAME", f"{prefix}{k:02d}").replace("LENGTH", str(length + k)).replace("STEP", f"{k}.25f")
                            for k in range(count)))
    return file


def twenty_kernels(home, folder):
    file = folder / "twenty.cubin"
    if not file.exists():
        nvcc(home, "-cubin", "-arch=sm_80", "-o", file, kernels(folder / "twenty.cu", 20, 8, "k"))
    return file


def large_executable(home, folder):
    """An ELF file of the host whose section .nv_fatbin has ten fat binaries of a hundred kernels for six architectures."""
    file = folder / "large"
    if file.exists():
        return file
    source = kernels(folder / "hundred.cu", 100, 300, "k0_")
    cubins = []
    for arch in (52, 61, 70, 75, 80, 90):
        cubin = folder / f"hundred.{arch}.cubin"
        nvcc(home, "-cubin", f"-arch=sm_{arch}", "-o", cubin, source)
        cubins.append((arch, cubin.read_bytes()))
    fatbins = b""
    for copy in range(10):
        entries = b""
        for arch, code in cubins:
            code = code.replace(b"k0_", b"k%d_" % copy)
            code += b"\0" * (-len(code) % 8)
            entries += struct.pack("<HHIQIIHHIIIQQQ", 2, 0x101, 64, len(code), 0, 0, 7, 1, arch, 0, 0, 0x11, 0, len(code)) + code
        fatbins += struct.pack("<IHHQ", 0xba55ed50, 1, 16, len(entries)) + entries
    names = b"\0.nv_fatbin\0.shstrtab\0"
    table = 64 + len(fatbins) + len(names)
    head = b"\x7fELF\2\1\1".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0, 0, table, 0, 64, 0, 0, 64, 3, 2)
    rows = [(0,) * 10, (1, 1, 0, 0, 64, len(fatbins), 0, 0, 8, 0), (12, 3, 0, 0, 64 + len(fatbins), len(names), 0, 0, 1, 0)]
    file.write_bytes(head + fatbins + names + b"".join(struct.pack("<IIQQQQIIQQ", *row) for row in rows))
    return file
