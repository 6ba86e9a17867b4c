#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Whole programs, run without a GPU: run_test.py PROGRAM"""
import ctypes
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from ctypes.util import find_library
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from needs import TOOLKIT, Need, needs, nvcc, program

PROGRAM = Path(sys.argv.pop())
ROOT = Path(__file__).resolve().parents[2]
OWN = PROGRAM.resolve().parents[2] / "tests" / "programs"
BUILT = Need("forewarp-run", lambda: (PROGRAM.resolve().parent / "forewarp-run").exists() and (OWN / "own_programs").exists())
OPENBLAS = Need("OpenBLAS", lambda: find_library("openblas") is not None)
HEADERS = Need("headers of cuBLAS, cuFFT and cuRAND", lambda: nvcc() is not None and (Path(nvcc()[0]).parents[1] / "include" / "cublas_api.h").exists())
NM = program("nm")


def cudart():
    """The toolkit's runtime library; none without a toolkit."""
    return Path(nvcc()[0]).parents[1] / "lib64" / "libcudart.so" if nvcc() else None


CUDART = Need("libcudart.so of a CUDA toolkit", lambda: cudart() is not None and cudart().exists())
FFTW = Need("FFTW", lambda: find_library("fftw3") is not None and find_library("fftw3f") is not None)
# Textures by reference, which nvcc takes until 11.8.
TEXTURES = """
#include "textures.cu"
#include <cstdio>
int main() {
  float host[64], *values, *out;
  int order[64], *at, wrong = 0;
  for (int i = 0; i < 64; ++i) host[i] = i * 0.5f, order[i] = 63 - i;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&at, sizeof order);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(at, order, sizeof order, cudaMemcpyHostToDevice);
  cudaBindTexture(0, line, values, sizeof host);
  read_line<<<2, 32>>>(at, out);
  cudaUnbindTexture(line);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) wrong += host[i] != (63 - i) * 0.5f;
  printf("%d values differ: %s\\n", wrong, cudaGetErrorString(cudaGetLastError()));
  return wrong != 0;
}
"""


def link_textures(program):
    """Whether nvcc made it: not without the runtime's libraries, which a folder of compilers alone lacks, nor from 12.0 on."""
    source = program.with_suffix(".cu")
    source.write_text(TEXTURES, encoding="utf-8")
    words = [*nvcc(), "-w", "-cudart", "shared", "-I", ROOT / "tests" / "programs", "-o", program, source]
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def takes_textures():
    with tempfile.TemporaryDirectory() as folder:
        return nvcc() is not None and link_textures(Path(folder) / "trial")


OLD_TOOLKIT = Need("CUDA toolkit that links texture references", takes_textures)


@needs(BUILT)
class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.at = Path(cls.kept.name)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def forewarp(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def ran(self, program, *words, flags=(), gpu="rtx4090", code=0):
        """The report of the program, and what it printed."""
        report = self.at / "report.json"
        report.unlink(missing_ok=True)
        done = self.forewarp("run", "--gpu", gpu, "--format", "json", "-o", report, *flags, "--", OWN / program, *words, code=code)
        return json.loads(report.read_text())["processes"][0], done.stdout

    def test_results(self):
        for program in ("own_programs", "packed_programs"):
            report, printed = self.ran(program, "results")
            self.assertEqual(printed, "PASS 0 values differ\n")
            self.assertTrue(report["computed"])
            self.assertEqual([], report["messages"])

    def test_driver_interface_loaded_by_path(self):
        report, printed = self.ran("driver_program")
        self.assertEqual(printed, "PASS 0 failures\n")
        self.assertEqual(["cuGraphicsMapResources"], [m["text"] for m in report["messages"] if m["kind"] == "unsupported"])

    def test_calls_with_wrong_arguments(self):
        report, printed = self.ran("refusal_program", flags=("--devices", "2"))
        self.assertEqual(printed, "PASS 0 answers differ\n")
        texts = [m["text"] for m in report["messages"]]
        self.assertIn("empty: 3073 blocks are launched together; expected at most 3072, as many as are resident; "
                      "cudaOccupancyMaxActiveBlocksPerMultiprocessor tells", texts)
        self.assertIn("scan: 49153 bytes of dynamic shared memory; expected at most 49152; "
                      "cudaFuncSetAttribute(.., cudaFuncAttributeMaxDynamicSharedMemorySize, ..) allows more", texts)

    @needs(CUDART, NM)
    def test_every_function_of_the_runtime_is_there(self):
        def functions(library):
            listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
            return {name for line in listed.splitlines() if (name := line.split()[-1].split("@")[0]).startswith(("cuda", "__cuda"))}
        own = functions(PROGRAM.resolve().parent / "run" / "libforewarp-device.so")
        self.assertEqual(set(), functions(cudart()) - own)

    def test_a_default_stream_per_thread(self):
        self.assertEqual(self.ran("own_stream_program")[1], "PASS 0 answers differ\n")

    def test_launches_of_one_geometry_have_times_of_their_own(self):
        for flags in ((), ("--again",), ("--execute", "sample")):
            with self.subTest(flags):
                self.assertEqual(self.ran("own_programs", "counts", flags=flags)[1], "PASS 0 times differ\n")
                self.assertIn("PASS", self.ran("own_programs", "strides", flags=flags)[1])

    def test_a_launch_that_is_too_long_for_a_prediction_has_a_time_once_it_ended(self):
        report, printed = self.ran("own_programs", "long_count", gpu="a100-sxm-40")
        self.assertAlmostEqual(500, float(printed), delta=0.5)  # 0.999 x + 0.5 leaves 500 as it is
        self.assertTrue(report["computed"])
        self.assertEqual([], report["messages"])
        # Each round waits for the product and sum of the one before: 4 cycles at 1.41 GHz.
        self.assertAlmostEqual(20e6 * 4 / 1.41e6, report["kernels"][0]["mean_ms"], delta=6)

    def test_a_launch_that_is_another_one_once_it_ended_has_no_time(self):
        for flags in ((), ("--record", self.at / "own_count")):
            report, printed = self.ran("own_programs", "own_count", gpu="a100-sxm-40", flags=flags)
            self.assertAlmostEqual(500, float(printed), delta=0.5)
            self.assertTrue(report["computed"])
            self.assertEqual(["no time"], [m["kind"] for m in report["messages"]])
            self.assertEqual(0, report["kernels"][0]["mean_ms"])

    def test_clusters_as_attributes_of_launches(self):
        report, printed = self.ran("own_programs", "clusters", gpu="h100-sxm-80")
        self.assertEqual(printed, "PASS 0 values differ\n")
        self.assertTrue(report["computed"])
        self.assertTrue(any("programmatic dependent launch" in m["text"] for m in report["messages"]))

    def test_a_wait_takes_its_time(self):
        self.assertIn("PASS", self.ran("own_programs", "waits")[1])

    def test_a_launch_that_cannot_be_executed_is_not_computed(self):
        report, printed = self.ran("own_programs", "deadlock", code=3)
        self.assertEqual(printed, "unspecified launch failure\n")
        self.assertFalse(report["computed"])
        self.assertEqual((1, 0), (report["launches"], report["executed"]))

    def test_a_signal_that_ends_the_program_is_named(self):
        report, _ = self.ran("own_programs", "crash", code=128 + 11)
        self.assertEqual((False, 11), (report["ended"], report["signal"]))
        self.assertGreater(report["peak_bytes"], 0)
        text = self.forewarp("run", "--gpu", "rtx4090", "--", OWN / "own_programs", "crash", code=128 + 11).stderr
        self.assertIn("the program was ended by signal 11 (SIGSEGV)", text)
        text = self.forewarp("run", "--gpu", "rtx4090", "--limit", "2", "--", OWN / "own_programs", "wait", code=128 + 15).stderr
        self.assertIn("the program was ended as the time of --limit was over", text)
        self.assertRegex(text, "executed   1 of 1 launches, .* in at least .* of device memory or more")

    def test_a_program_leaves_what_it_has_when_its_time_is_over(self):
        report, printed = self.ran("own_programs", "unflushed", flags=("--limit", "2"), code=128 + 15)
        self.assertEqual(printed, "printed\n")
        self.assertEqual((False, 15), (report["ended"], report["signal"]))
        self.assertGreater(report["elapsed_ms"], 1000)  # with the host's time since its last call
        for ignores, code in ((False, 128 + 15), (True, 128 + 9)):
            trap = "trap '' TERM; " if ignores else ""
            begin = time.monotonic()
            self.forewarp("run", "--gpu", "rtx4090", "-q", "--limit", "1", "--", "sh", "-c", f"{trap}sleep 60; true", code=code)
            self.assertGreater(time.monotonic() - begin, 2 if ignores else 1)
            self.assertLess(time.monotonic() - begin, 30)

    def test_timed_waits_and_processor_time_follow_the_clock(self):
        self.assertEqual(self.ran("own_programs", "timed_waits")[1], "PASS 0 waits differ\n")
        self.assertEqual(self.ran("own_programs", "processor_time")[1], "PASS 0 clocks differ\n")

    def test_threads_wait_for_their_boards_at_the_same_time(self):
        self.assertIn("PASS", self.ran("own_programs", "thread_clocks", flags=("--devices", "2"))[1])

    def test_a_forked_child_goes_on_with_the_clock(self):
        self.assertIn("PASS", self.ran("own_programs", "fork_clock")[1])

    def test_graphs_and_captures(self):
        for program in ("graph_program", "capture_program"):
            report, printed = self.ran(program)
            self.assertEqual(printed, "PASS 0 failures\n")
            self.assertEqual([], report["messages"])

    def test_words_of_the_program_are_its_own(self):
        done = self.forewarp("run", "--gpu", "rtx4090", "--", "/bin/echo", "-n", "-q", "--gpu", "x", "--", "y")
        self.assertEqual(done.stdout, "-q --gpu x -- y")

    def test_textures_that_code_names(self):
        for gpu in ("rtx4090", "gtx970"):
            report, printed = self.ran("texture_program", gpu=gpu)
            self.assertEqual(printed, "PASS 0 values differ\n")
            self.assertTrue(report["computed"])

    def test_surfaces(self):
        for gpu in ("gtx970", "rtx4090", "h100-sxm-80"):
            report, printed = self.ran("surface_program", gpu=gpu)
            self.assertEqual(printed, "PASS 0 values differ\n")
            self.assertTrue(report["computed"])

    def test_a_surface_that_traps(self):
        report, printed = self.ran("surface_program", "outside")
        self.assertEqual(printed, "unspecified launch failure\n")
        self.assertIn("access outside its surface of 4 bytes at x 0", report["messages"][0]["text"])

    def test_pointers_to_functions(self):
        self.calls_by_pointers("gtx970")
        self.calls_by_pointers("rtx4090")
        self.calls_by_pointers("h100-sxm-80")

    def test_pointers_to_functions_of_code_that_was_linked(self):
        for gpu in ("gtx970", "a100-sxm-40", "h100-sxm-80"):
            self.calls_by_pointers(gpu, "linked_pointer_program")

    def test_pointers_to_functions_of_code_for_a_debugger(self):
        for gpu in ("gtx970", "a100-sxm-40", "h100-sxm-80"):
            self.calls_by_pointers(gpu, "debug_pointer_program")

    def test_pointers_to_functions_of_a_newer_compiler(self):
        for gpu in ("gtx1080ti", "v100-sxm2-16", "rtx4090"):
            self.calls_by_pointers(gpu, "newer_pointer_program")

    def calls_by_pointers(self, gpu, program="pointer_program"):
        report, printed = self.ran(program, gpu=gpu)
        self.assertEqual(printed, "PASS 0 values differ\n")
        self.assertTrue(report["computed"])

    def test_a_reset_after_a_launch_that_failed(self):
        report, printed = self.ran("own_programs", "recovers")
        self.assertEqual(printed, "PASS 0 values differ\n")
        self.assertFalse(report["computed"])  # not every launch was
        self.assertTrue(any("deadlock" in m["text"] for m in report["messages"]))

    def test_variables_that_the_host_writes_by_itself(self):
        for gpu in ("gtx970", "a100-sxm-40"):
            report, printed = self.ran("managed_program", gpu=gpu)
            self.assertEqual(printed, "PASS 0 values differ\n")
            self.assertTrue(report["computed"])

    def test_variables_of_several_devices(self):
        for gpu in ("gtx970", "a100-sxm-40"):
            report, printed = self.ran("device_program", flags=("--devices", "2"), gpu=gpu)
            self.assertEqual(printed, "PASS 0 answers differ\n")
            self.assertTrue(report["computed"])

    @needs(OLD_TOOLKIT)
    def test_textures_through_nvcc(self):
        program = self.at / "reference"
        self.assertTrue(link_textures(program))
        for gpu in ("gtx970", "gtx1080ti"):  # its own code, and what ptxas makes of its PTX
            self.assertEqual(self.forewarp("run", "--gpu", gpu, "-q", "--", program).stdout, "0 values differ: no error\n")

    def test_runtime_of_cuda_13(self):
        _, printed = self.ran("runtime_13_program")
        self.assertEqual(printed, "PASS CUDA 13000 on NVIDIA GeForce RTX 4090, 8.9: 0 values differ\n")

    @needs(OPENBLAS)
    def test_libraries_compute_and_are_modelled(self):
        for test in ("product", "batch", "halves", "vectors"):
            report, printed = self.ran("library_program", test, gpu="a100-sxm-80")
            self.assertNotIn("MISS", printed)
            self.assertTrue(report["computed"])
            self.assertEqual(report["library_calls"], report["launches"])
        self.assertEqual(report["kernels"][-1]["limited_by"], "latency (modelled)")
        text = self.forewarp("run", "--gpu", "a100-sxm-80", "--", OWN / "library_program", "product").stderr
        self.assertIn("cublasSgemm 96x64x48 ", text)
        self.assertIn("1 launches are calls of the vendor's libraries: computed on the host, with times of a model", text)

    @needs(FFTW)
    def test_transforms(self):
        report, printed = self.ran("library_program", "transforms")
        self.assertIn("PASS", printed)
        self.assertEqual(["cufftExecC2C 2 of 60", "cufftExecD2Z 6x10", "cufftExecZ2D 6x10"], sorted(k["name"] for k in report["kernels"]))

    def test_random_numbers(self):
        report, printed = self.ran("library_program", "numbers")
        self.assertIn("PASS", printed)
        self.assertEqual([m["text"] for m in report["messages"]],
                         ["cuRAND: numbers have the distributions asked for, not the sequences of the vendor's generators"])

    @needs(OPENBLAS)
    def test_libraries_outside_of_memory(self):
        report, printed = self.ran("library_program", "outside")
        self.assertIn("PASS", printed)
        self.assertRegex(report["messages"][0]["text"],
                         "^cublasSgemm 512x512x512: B needs 1048576 bytes at 0x[0-9a-f]+, of which 1046528 are in an allocation$")

    @needs(OPENBLAS)
    @needs(FFTW)
    def test_unusual_arguments_of_libraries(self):
        for test in ("reductions", "statuses", "unread", "operations", "batches", "copies", "layouts", "in_place", "sequences", "times"):
            self.assertEqual(self.ran("library_semantics", test, gpu="rtx3090")[1], "PASS\n", test)

    @needs(OPENBLAS)
    def test_calls_of_one_name_have_times_of_their_own(self):
        report, _ = self.ran("library_semantics", "times", gpu="rtx3090")
        self.assertEqual(["cublasSaxpy 1048576", "cublasSgemm 2048x2048x1"], sorted(k["name"] for k in report["kernels"]))
        self.assertEqual([20, 20], [k["launches"] for k in report["kernels"]])

    @needs(HEADERS)
    def test_every_function_of_the_libraries_headers_is_there(self):
        folder = Path(nvcc()[0]).parents[1] / "include"
        library = ctypes.CDLL(PROGRAM.resolve().parent / "run" / "libforewarp-device.so")
        missing = []
        for header in ("cublas_api", "cublas", "cublasXt", "cublasLt", "cufft", "cufftXt", "curand"):
            text = re.sub(r"/\*.*?\*/|//[^\n]*", "", (folder / f"{header}.h").read_text(errors="replace"), flags=re.DOTALL)
            # Declarations; inline functions of the headers have a body.
            for name in re.findall(r"\b(cu(?:blas|fft|rand)\w+)\s*\((?!\*)[^;{}]*\)\s*;", text):
                if not hasattr(library, name) and name != "cublasMigrateComputeType":  # inline
                    missing.append(name)
        self.assertEqual([], missing)

    def test_functions_of_libraries_that_are_not_there(self):
        report, printed = self.ran("library_program", "unsupported")
        self.assertIn("PASS", printed)
        self.assertEqual(report["messages"], [{"kind": "unsupported", "text": "cublasDsyrk_v2"}])

    @needs(OPENBLAS)
    def test_libraries_on_other_boards_and_without_computing(self):
        report, _ = self.ran("library_program", "product", gpu="a100-sxm-80,l4", flags=("--execute", "sample"), code=1)
        self.assertFalse(report["computed"])
        self.assertEqual(list(report["kernels"][0]["others_ms"]), ["l4"])

    def test_selected_launches(self):
        report, printed = self.ran("own_programs", "results", flags=("--select", "kernel~^s(um|can)$"))
        self.assertEqual(printed, "PASS 0 values differ\n")
        self.assertEqual((["scan", "sum"], 2, 3), (sorted(k["name"] for k in report["kernels"]), report["launches"], report["unselected"]))
        report, printed = self.ran("own_programs", "results", flags=("--skip", "1", "--launches", "2"))
        self.assertEqual(printed, "PASS 0 values differ\n")
        self.assertEqual((["affine", "sum"], 3), (sorted(k["name"] for k in report["kernels"]), report["unselected"]))
        text = self.forewarp("run", "--gpu", "rtx4090", "--launches", "1", "--", OWN / "own_programs", "results").stderr
        self.assertIn("4 launches were not selected: executed, but without a time", text)
        failed = self.forewarp("run", "--gpu", "rtx4090", "--select", "gemm", "--", OWN / "own_programs", "results", code=1)
        self.assertEqual(failed.stderr, "forewarp: --select: 'gemm' does not say which kernels; expected kernel~PATTERN or "
                                        "kernel=NAME; --select 'kernel~gemm'\n")

    def test_recording(self):
        folder = self.at / "recording"
        self.ran("own_programs", "results", flags=("--record", folder, "--select", "kernel~axpy|sum"))
        explained = self.forewarp("explain", folder, "--launch", "3").stdout
        self.assertIn("sum on NVIDIA GeForce RTX 4090", explained)
        self.assertIn("7 blocks of 256", explained)
        compared = self.forewarp("compare", folder, folder, "--launch", "1", "--a", "gpu=rtx4090", "--b", "gpu=l4").stdout
        self.assertIn("axpy", compared)
        advised = self.forewarp("advise", folder, "--launch", "1", "--gpu", "rtx4090").stdout
        self.assertIn("axpy", advised)
        failed = self.forewarp("explain", folder, "--launch", "2", code=1)
        self.assertIn("--launch 2: the recording has no such launch", failed.stderr)
        self.assertIn("1, 3", failed.stderr)

    def test_a_recording_has_textures(self):
        for program, launch, name in (("surface_program", "4", "from_tables"), ("texture_program", "1", "read_line")):
            kept = self.at / f"recording of {program}"
            report, _ = self.ran(program, flags=("--record", kept))
            told = json.loads(self.forewarp("predict", kept, "--launch", launch, "--format", "json").stdout)
            run = next(kernel for kernel in report["kernels"] if kernel["name"] == name)
            self.assertAlmostEqual(run["total_ms"], told["time_ms"], delta=1e-6)  # as it is printed

    def test_a_program_ends_while_a_kernel_goes_on(self):
        """exit() in another thread, and in a signal's handler within a call: neither waits for the call's end."""
        for word, code in (("beside", 6), ("within", 7)):
            begin = time.monotonic()
            self.forewarp("run", "--gpu", "rtx4090", "-q", "--execute", "all", "--", OWN / "own_programs", word, code=code)
            self.assertLess(time.monotonic() - begin, 60)

    def test_a_signal_ends_what_the_program_started(self):
        words = ["sh", "-c", f"{OWN / 'own_programs'} wait; true"]
        with subprocess.Popen([PROGRAM, "run", "--gpu", "rtx4090", "-q", "--", *words], stdout=subprocess.PIPE) as running:
            self.assertEqual(running.stdout.readline(), b"waiting\n")
            running.terminate()
            self.assertEqual(running.wait(timeout=60), 128 + 15)
            self.assertEqual(running.stdout.read(), b"")  # nobody holds the pipe any more

    def test_ignored_signals_stay_ignored(self):
        words = [PROGRAM, "run", "--gpu", "rtx4090", "-q", "--", OWN / "own_programs", "wait"]
        ignoring = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", *words]  # as nohup does
        with subprocess.Popen(ignoring, stdout=subprocess.PIPE, start_new_session=True) as running:
            self.assertEqual(running.stdout.readline(), b"waiting\n")
            os.killpg(running.pid, signal.SIGHUP)
            time.sleep(0.5)
            self.assertIsNone(running.poll())
            running.terminate()
            self.assertEqual(running.wait(timeout=60), 128 + 15)

    def test_a_signal_of_the_terminal_comes_once(self):
        program = "trap 'echo heard' INT; echo ready; for i in 1 2 3 4; do sleep 0.5; done; echo end"
        child, ours = pty.fork()
        if child == 0:
            os.execv(PROGRAM, [PROGRAM, "run", "--gpu", "rtx4090", "-q", "--", "bash", "-c", program])
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
                if b"ready" in piece:
                    time.sleep(0.2)
                    os.write(ours, b"\x03")
        except OSError:
            pass
        os.close(ours)
        os.waitpid(child, 0)
        self.assertEqual(1, shown.count(b"heard"), shown)

    def test_progress_is_for_terminals(self):
        words = [PROGRAM, "run", "--gpu", "rtx4090", "--", OWN / "own_programs", "wait"]
        ours, theirs = pty.openpty()
        running = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        time.sleep(4)
        running.terminate()
        running.wait(timeout=20)
        drawn = b""
        try:
            while piece := os.read(ours, 4096):
                drawn += piece
        except OSError:  # the terminal has no other side any more
            pass
        os.close(ours)
        self.assertIn(b"\rlaunches             1 done", drawn)
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as running:
            time.sleep(4)
            running.terminate()
            self.assertNotIn(b"done", running.stderr.read())


if __name__ == "__main__":
    unittest.main()
