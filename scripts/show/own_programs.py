# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The programs of tests/programs, run with forewarp run."""
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from showing import BUILD, ROOT, TOOL, Skip

PROGRAMS = BUILD / "tests" / "programs" / "own_programs"
SMALL_CU = """#include <cstdio>
__global__ void axpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
int main() {
  const int n = 1 << 20;
  float *x, *y, last = 0;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  cudaMemset(x, 0, n * 4);
  cudaMemset(y, 0, n * 4);
  axpy<<<n / 256, 256>>>(n, 2, x, y);
  cudaMemcpy(&last, y + n - 1, 4, cudaMemcpyDeviceToHost);
  printf("%g %s\\n", last, cudaGetErrorString(cudaGetLastError()));
}
"""


class Own:
    def __init__(self, out):
        self.out = out

    def run(self, word, *flags, gpu="rtx4090", report="report", program="own_programs", **options):
        program = PROGRAMS.parent / program
        if not program.exists():
            raise Skip(f"the programs are not built (target {program.name})")
        file = self.out / f"{report}.json"
        file.unlink(missing_ok=True)
        begin = time.monotonic()
        done = subprocess.run([TOOL, "run", "--gpu", gpu, "--format", "json", "-o", file, *flags, "--", program, *([word] if word else [])],
                              capture_output=True, text=True, check=False, timeout=300, **options)
        done.seconds = time.monotonic() - begin
        done.processes = json.loads(file.read_text())["processes"] if file.exists() else []
        return done

    def case(self, word):
        flags = ["--devices", "2"] if word == "peer" else []
        done = self.run(word, *flags)
        return done.returncode == 0, " ".join((done.stdout + done.stderr).split())[-160:]

    def textures(self):
        figures, holds = [], True
        for gpu in ("gtx970", "rtx4090"):
            done = self.run("", gpu=gpu, program="texture_program")
            holds = holds and done.returncode == 0 and all(p["computed"] for p in done.processes)
            figures.append(f"{gpu}: {done.stdout.strip()}")
        return holds, "; ".join(figures)

    def runtime_13(self):
        done = self.run("", program="runtime_13_program")
        return done.returncode == 0, done.stdout.strip()

    def selected(self):
        done = self.run("results", "--select", "kernel~^s(um|can)$")
        process = done.processes[0]
        names = sorted(k["name"] for k in process["kernels"])
        return done.returncode == 0 and names == ["scan", "sum"], f"{', '.join(names)} predicted; {process['unselected']} others executed only"

    def message(self, word):
        if word == "static":
            return self.static_runtime()
        gpu = "gtx680" if word == "architecture" else "rtx4090"
        # One warp does a hundredth of a device's work per second: a small budget ends an endless kernel within a minute.
        done = self.run("results" if word == "architecture" else word, "--budget", "3", gpu=gpu)
        texts = [m["text"] for p in done.processes for m in p["messages"] if m["kind"] != "note"]
        said = f"program: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ''}; "
        return done.returncode != 0 and (bool(texts) or word == "memory"), (said + "; ".join(texts))[:300]

    def nvcc(self, *flags):
        home = os.environ.get("CUDA_HOME")
        nvcc = Path(home) / "bin" / "nvcc" if home else shutil.which("nvcc")
        if not nvcc or not Path(nvcc).exists():
            raise Skip("no nvcc: CUDA_HOME names no toolkit")
        source, program = self.out / "axpy.cu", self.out / "axpy"
        source.write_text(SMALL_CU)
        subprocess.run([nvcc, "-o", program, source, *flags], check=True, capture_output=True)
        return program

    def static_runtime(self):
        program = self.nvcc()
        done = subprocess.run([TOOL, "run", "--gpu", "rtx4090", "--", program], capture_output=True, text=True, check=False)
        return done.returncode == 1 and "-cudart shared" in done.stderr, done.stderr.strip()[:300]

    def robust(self):
        figures, holds = [], True
        for word, code in (("crash", -11 + 128 + 11 + 11), ("leave", 5), ("fork", 0), ("threads", 0)):
            done = self.run(word)
            good = done.returncode in (code, 139) if word == "crash" else done.returncode == code
            good = good and any(p["launches"] for p in done.processes)
            holds = holds and good
            figures.append(f"{word} {done.returncode}{'' if good else ' (wrong)'}")
        file = self.out / "killed.json"
        file.unlink(missing_ok=True)
        started = subprocess.Popen([TOOL, "run", "--gpu", "rtx4090", "--format", "json", "-o", file, "--", PROGRAMS, "wait"], stdout=subprocess.PIPE)
        started.stdout.readline()
        started.send_signal(signal.SIGTERM)
        code = started.wait(timeout=20)
        good = file.exists() and bool(json.loads(file.read_text())["processes"][0]["launches"])
        return holds and good, "; ".join(figures + [f"SIGTERM {code}, report {'written' if good else 'missing'}"])

    def boards(self):
        done = self.run("results", gpu="rtx4090,a100-sxm-80,l4")
        others = {}
        for process in done.processes:
            for kernel in process["kernels"]:
                for board, ms in kernel["others_ms"].items():
                    others[board] = others.get(board, 0) + ms
        return done.returncode == 0 and len(others) == 2, ", ".join(f"{b} {ms:.4g} ms" for b, ms in others.items())

    def reports(self):
        timeline, page = self.out / "timeline.json", self.out / "report.html"
        done = self.run("overlap", "--timeline", timeline)
        events = json.loads(timeline.read_text())["traceEvents"]
        names = {e["name"] for e in events if e["ph"] == "X"}
        subprocess.run([TOOL, "run", "--gpu", "rtx4090", "--format", "html", "-o", page, "--", PROGRAMS, "results"], check=False, capture_output=True)
        html = page.exists() and "</html>" in page.read_text() and "axpy" in page.read_text()
        return done.returncode == 0 and {"work", "h2d", "d2h"} <= names and html, f"{len(events)} events; page {'written' if html else 'missing'}"

    def record(self):
        file = self.out / "recording"
        shutil.rmtree(file, ignore_errors=True)
        self.run("results", "--record", file)
        done = subprocess.run([TOOL, "explain", file, "--launch", "1"], capture_output=True, text=True, check=False)
        return done.returncode == 0 and "axpy" in done.stdout, (done.stdout or done.stderr).strip().splitlines()[0][:120]

    def launch_rate(self):
        done = self.run("rate", "-j", "2")
        launches = sum(p["launches"] for p in done.processes)
        return launches / done.seconds >= 20000, f"{launches / done.seconds:.0f}/s with the start ({done.seconds:.2f} s)"

    def untouched(self):
        empty = re.search(r"VmHWM:\s+(\d+)", self.run("untouched").stdout)
        base = self.run("memory").processes
        if not empty:
            return False, "no figure"
        kb = int(empty.group(1))
        return bool(base) and kb < 200 * 1024, f"{kb / 1024:.0f} MB in all with 8 GB allocated"

    def execution_rate(self):
        done = self.run("clocks", "-j", "2")
        p = done.processes[0]
        return True, f"{p['warp_instructions'] / p['execution_s'] / 1e6:.0f} M/s on two threads"

    def new_user(self):
        begin = time.monotonic()
        program = self.nvcc("-cudart", "shared")
        timeline = self.out / "user.json"
        done = subprocess.run([TOOL, "run", "--gpu", "rtx4090", "--timeline", timeline, "--", program], capture_output=True, text=True, check=False)
        took = time.monotonic() - begin
        good = done.returncode == 0 and "no error" in done.stdout and timeline.exists()
        return good and took < 300, f"{took:.1f} s of the machine's from nvcc to the timeline (a program of 20 lines)"
