# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
import os
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import forewarp
from fixture import needs
from forewarp import cupy as from_cupy, numba as from_numba, triton as from_triton

STAND_INS = str(Path(__file__).parent / "stand_ins")
CODE = """
extern "C" __global__ void axpy(float* r, float a, const float* x, const float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) r[i] = a * x[i] + y[i];
}
template <int K> __global__ void add(int* r) { r[threadIdx.x] += K; }
template __global__ void add<3>(int*);
"""
PTX = """
.version 7.8
.target sm_52
.address_size 64

.visible .entry fill(.param .u64 r, .param .u32 n)
{
  .reg .pred p;
  .reg .b32 i<6>;
  .reg .b64 a<4>;
  ld.param.u64 a1, [r];
  ld.param.u32 i1, [n];
  mov.u32 i2, %ctaid.x;
  mov.u32 i3, %ntid.x;
  mov.u32 i4, %tid.x;
  mad.lo.s32 i5, i2, i3, i4;
  setp.ge.s32 p, i5, i1;
  @p bra done;
  cvta.to.global.u64 a2, a1;
  mul.wide.s32 a3, i5, 4;
  add.s64 a2, a2, a3;
  st.global.u32 [a2], i5;
done:
  ret;
}
"""
N = 1 << 20


class Rates(unittest.TestCase):
    def test_the_sources_conversion(self):
        """Volkov 2016, 3.9: 154 GB/s on 8 SMs at 1.124 GHz are 17.1 bytes per cycle and SM, 0.0446 warps of 3 accesses."""
        rates = forewarp.convert(154, "GB/s", "gtx680", clock_mhz=1124, instructions=3)
        self.assertAlmostEqual(rates["B/cycle/SM"], 17.1, delta=0.05)
        self.assertAlmostEqual(rates["warps/cycle/SM"], 0.0446, delta=5e-5)
        self.assertEqual(rates["GB/s"], 154)

    def test_refusal(self):
        with self.assertRaisesRegex(forewarp.Error, "the unit 'GB'"):
            forewarp.convert(1, "GB", "gtx680")


class WithStandIns(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, STAND_INS)
        self.addCleanup(sys.path.remove, STAND_INS)
        self.addCleanup(lambda: [sys.modules.pop(name, None) for name in ("cupy", "triton")])


class CuPy(WithStandIns):
    def test_options_as_nvcc_takes_them(self):
        options = ("--std=c++17", "-DN=4", "--gpu-architecture=sm_90", "--device-as-default-execution-space")
        self.assertEqual(from_cupy.compile_options(options), ["-std=c++17", "-DN=4"])
        self.assertEqual(from_cupy.compile_options(("-DN=4",)), ["-std=c++14", "-DN=4"])

    def test_what_is_refused(self):
        with self.assertRaises(forewarp.Error) as refused:
            from_cupy.load(7)
        self.assertEqual(str(refused.exception), "cupy: is a int; expected a RawKernel or a RawModule with its code or its file")

    @needs.needs(needs.TOOLKIT)
    def test_a_raw_kernel_with_arrays_of_a_device(self):
        import cupy
        r, x, y = (cupy.ndarray((N,), "float32") for _ in range(3))
        args = (r, np.float32(2), x, y, np.int32(N))
        result = from_cupy.load(cupy.RawKernel(CODE, "axpy", ("-use_fast_math",))).predict("t4", (N // 256,), (256,), args)
        self.assertEqual(result.kernel.name, "axpy")
        self.assertEqual(result.launch.args["x"], f"buffer of {4 * N} bytes")
        direct = forewarp.load(CODE, "axpy", ["-std=c++14", "-use_fast_math"]).predict("t4", N // 256, 256, list(args))
        self.assertEqual(result.time_ms, direct.time_ms)

    @needs.needs(needs.TOOLKIT)
    def test_a_module(self):
        import cupy
        module = cupy.RawModule(code=CODE, name_expressions=["add<3>"])
        self.assertEqual(from_cupy.load(module, "add<3>").predict("t4", 1, 128).kernel.name, "add<3>")
        with self.assertRaises(forewarp.Error):
            from_cupy.load(module).predict("t4", 1, 128)


class Triton(WithStandIns):
    def compiled(self, **changes):
        import triton
        metadata = {"name": "fill", "num_warps": 4, "num_stages": 3, "num_ctas": 1, "shared": 1024,
                    "target": triton.GPUTarget("cuda", 80, 32), **changes}
        return triton.CompiledKernel({"ttir": "", "ptx": PTX}, **metadata)

    def test_knows_its_block_and_its_shared_memory(self):
        kernel = from_triton.load(self.compiled())
        self.assertEqual((kernel.name, kernel.threads, kernel.shared), ("fill", 128, 1024))

    def test_what_is_refused(self):
        with self.assertRaises(forewarp.Error) as refused:
            from_triton.load(self.compiled(), "cubin")
        self.assertEqual(str(refused.exception), "triton: a CompiledKernel with ttir, ptx; expected a compiled kernel with 'cubin'")
        with self.assertRaises(forewarp.Error):
            from_triton.load(self.compiled(target=None))
        with self.assertRaises(forewarp.Error):
            from_triton.load(object())

    @needs.needs(needs.TOOLKIT)
    def test_predicts(self):
        kernel = from_triton.load(self.compiled())
        for gpu in ("titanx", "a100-sxm-40"):
            result = kernel.predict(gpu, N // 128, args=[forewarp.buffer(N, "int32"), np.int32(N)])
            self.assertEqual((result.launch.block, result.launch.dynamic_shared), ((128, 1, 1), 1024))
            self.assertEqual(result.profile.global_store_sectors, N / 8)


class NumbaArguments(unittest.TestCase):
    def test_an_array_is_its_parts(self):
        # Two pointers that no GPU follows, 6 elements of 4 bytes, the data, 2 x 3, and 12 and 4 bytes from one to the next.
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        flat = from_numba.flat_arguments([array, 7, 2.5, True, np.float32(3)])
        self.assertEqual([int(value) for place, value in enumerate(flat[:9]) if place != 4], [0, 0, 6, 4, 2, 3, 12, 4])
        self.assertTrue(all(isinstance(value, np.int64) for place, value in enumerate(flat[:9]) if place != 4))
        self.assertEqual((flat[4].nbytes, flat[4].dtype), (24, "f32"))
        self.assertEqual([type(value) for value in flat[9:]], [np.int64, np.float64, np.uint8, np.float32])
        self.assertEqual([int(value) for value in from_numba.flat_arguments([np.asfortranarray(array)])[5:]], [2, 3, 4, 8])

    def test_tuples_are_their_items(self):
        self.assertEqual([int(value) for value in from_numba.flat_arguments([(1, (2, 3))])], [1, 2, 3])

    def test_what_is_refused(self):
        for value, line in (("x", "argument 0: is a str; expected a number, a NumPy or device array, or a tuple of them"),
                            (np.arange(8)[::2], "argument: an array with gaps between its elements; expected one block of memory, as Numba "
                                                "copies it; numpy.ascontiguousarray(..)")):
            with self.assertRaises(forewarp.Error) as refused:
                from_numba.flat_arguments([value])
            self.assertEqual(str(refused.exception), line)
        with self.assertRaises(forewarp.Error) as refused:
            from_numba.load(print)
        self.assertEqual(str(refused.exception), "numba: is a builtin_function_or_method; expected a function that numba.cuda.jit made")


@needs.needs(needs.TOOLKIT, needs.NVVM)
class Numba(unittest.TestCase):
    def setUp(self):
        from numba import cuda

        @cuda.jit
        def axpy(r, a, x, y):
            i = cuda.grid(1)
            if i < r.size:
                r[i] = a * x[i] + y[i]

        self.kernel = from_numba.load(axpy)
        self.arrays = [np.zeros(N, np.float32), np.ones(N, np.float32), np.arange(N, dtype=np.float32)]

    def test_moves_what_it_must(self):
        r, x, y = self.arrays
        result = self.kernel.predict("t4", N // 256, 256, [r, np.float32(2), x, y])
        # A sector is 8 numbers: two arrays are read and one is written.
        self.assertEqual((result.profile.global_load_sectors, result.profile.global_store_sectors), (2 * N / 8, N / 8))
        self.assertEqual(result.limited_by.resource, "dram")
        self.assertIn("axpy on t4", repr(result))

    def test_one_kernel_for_each_board_and_type(self):
        r, x, y = self.arrays
        first = self.kernel.kernel("t4", [r, np.float32(2), x, y])
        self.assertIs(self.kernel.kernel("t4", [r, np.float32(3), x, y]), first)
        self.assertIsNot(self.kernel.kernel("titanx", [r, np.float32(2), x, y]), first)
        self.assertIsNot(self.kernel.kernel("t4", [r, 2.0, x, y]), first)


@needs.needs(needs.TOOLKIT, needs.NUMBA)
class NumbaWithoutNvvm(unittest.TestCase):
    def test_says_what_is_missing(self):
        if needs.NVVM.here():  # nothing is
            return
        from numba import cuda

        @cuda.jit
        def nothing(r):
            pass

        with self.assertRaises(forewarp.Error) as refused:
            from_numba.load(nothing).predict("t4", 1, 32, [np.zeros(4)])
        self.assertEqual(refused.exception.way_out, "set CUDA_HOME to a toolkit that has nvvm/lib64")


@needs.needs(needs.MATPLOTLIB)
class Pictures(unittest.TestCase):
    def setUp(self):
        import matplotlib
        os.environ.setdefault("MPLBACKEND", "Agg")
        matplotlib.use("Agg")
        from fixture import saxpy2
        self.launch = saxpy2()

    def test_a_roofline(self):
        from forewarp import plot
        result = self.launch.predict()
        intensity, rate = plot.roofline_point(result)
        operations = plot.operations(result)
        traffic = result.profile.dram_read_bytes + result.profile.dram_write_bytes
        self.assertAlmostEqual(intensity, operations / traffic)
        self.assertAlmostEqual(rate, 1000 * operations / result.time_ms)
        axes = plot.roofline(result)
        roof = axes.lines[0].get_ydata()
        gpu = forewarp.gpu("gtx970")
        self.assertAlmostEqual(max(roof) / (2 * 128 * 13 * gpu.clock_sustained_mhz * 1e6), 1)
        self.assertEqual(axes.lines[1].get_xdata(), [intensity])
        with self.assertRaises(forewarp.Error):
            plot.roofline(self.launch.but(static=True).predict())

    def test_operations(self):
        from forewarp import plot
        # One for an addition, two for a multiply-add, on two halves at once four; the others are none.
        counts = forewarp.Record({"threads_by_opcode": {"FFMA": 10, "FADD": 3, "DFMA": 1, "HFMA2": 1, "IADD3": 7}})
        self.assertEqual(plot.operations(SimpleNamespace(profile=counts)), 2 * 10 + 3 + 2 + 4)

    def test_occupancy(self):
        from forewarp import plot
        axes = plot.occupancy("gtx970", "regs", block=256, regs=64)
        curve = forewarp.occupancy_curve("gtx970", "regs", block=256)
        self.assertEqual(list(axes.lines[0].get_ydata()), list(curve["warps_per_sm"]))
        self.assertEqual(axes.lines[1].get_xdata(), [64, 64])

    def test_a_sweep(self):
        from forewarp import plot
        table = self.launch.sweep({"block": [256, 128], "a": [4, 2, 1]})
        axes = plot.sweep(table, "a", by="block")
        self.assertEqual([line.get_label() for line in axes.lines], ["block = 128", "block = 256"])
        self.assertEqual(list(axes.lines[0].get_xdata()), [1, 2, 4])
        self.assertEqual(len(axes.collections), 2)
        with self.assertRaises(forewarp.Error) as refused:
            plot.sweep(table, "b")
        self.assertTrue(str(refused.exception).startswith("plot.sweep: no column 'b'; expected one of block, a, time_ms"))


if __name__ == "__main__":
    unittest.main()
