# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
import os
import unittest

import numpy as np

import forewarp
from fixture import LISTINGS, saxpy2
from forewarp.arguments import Arguments, contents, short_type


def texts(given):
    return Arguments(given).texts


class Texts(unittest.TestCase):
    def test_numbers(self):
        self.assertEqual(texts([7, -2.5, True, None, "f16:1"]), ["0=7", "1=-2.5", "2=1", "4=f16:1"])
        self.assertEqual(texts([np.int32(7), np.float32(0.1), np.uint64(2**63), np.bool_(True), np.float16(1.5)]),
                         ["0=i32:7", "1=f32:0.10000000149011612", "2=u64:9223372036854775808", "3=u8:1", "4=f16:1.5"])
        self.assertEqual(texts({"n": np.int64(3), 2: 1e300}), ["n=i64:3", "2=1e+300"])

    def test_structures(self):
        pair = np.array([(1, 2.0)], dtype=[("i", "<i4"), ("x", "<f4")])[0]
        self.assertEqual(texts([b"\x00\xff", pair, np.complex64(1)]), ["0=hex:00ff", "1=hex:0100000000000040", "2=hex:0000803f00000000"])

    def test_constants_need_no_file(self):
        self.assertEqual(texts([np.zeros((2, 3), np.float32), np.full(4, 7, np.int16), np.ones(2)]),
                         ["0=buffer.f32:24:zeros", "1=buffer.i16:8:fill:7", "2=buffer.f64:16:fill:1.0"])

    def test_negative_zero_is_no_constant(self):
        self.assertRegex(contents(np.array([0.0, -0.0], np.float32)).content, r"^file:/proc/self/fd/\d+$")
        self.assertRegex(contents(np.array([np.nan, np.nan])).content, r"^file:")

    def test_contents_byte_by_byte(self):
        for array in (np.arange(6, dtype=np.int32).reshape(2, 3), np.arange(12.0).reshape(3, 4).T, np.array([1 + 2j, 3], np.complex64),
                      np.array([True, False]), np.array(5.5), np.array([(1, 2.0), (3, 4.0)], dtype=[("i", "<i4"), ("x", "<f4")]),
                      np.arange(10, dtype=np.int64)[::2]):
            held = contents(array)
            if held.content.startswith("file:"):
                with open(held.content.removeprefix("file:"), "rb") as file:
                    self.assertEqual(file.read(), np.ascontiguousarray(array).tobytes(), array.dtype)
            self.assertEqual(held.nbytes, array.nbytes)

    def test_types(self):
        self.assertEqual([short_type(name) for name in ("bool", "int8", "uint16", "float16", "complex64", "complex128", "V7")],
                         ["u8", "i8", "u16", "f16", "f32", "f64", "u8"])

    def test_one_array_twice_is_one_buffer(self):
        array = np.arange(4, dtype=np.int32)
        self.assertEqual(texts([array, 1, array])[2], "2=same:0")
        self.assertNotEqual(texts([array, array.copy()])[1], "1=same:0")

    def test_arrays_of_the_same_bytes_share_a_file(self):
        first, second = contents(np.arange(9)), contents(np.arange(9))
        self.assertEqual(first.content, second.content)

    def test_files_go_with_what_holds_them(self):
        def open_files():
            return len(os.listdir("/proc/self/fd"))

        before = open_files()
        held = [contents(np.arange(place, place + 8)) for place in range(50)]
        self.assertEqual(open_files(), before + 50)
        del held
        self.assertEqual(open_files(), before)

    def test_memory_that_is_not_here(self):
        self.assertEqual(forewarp.buffer((1024, 1024)).text, "buffer.f32:4194304:unknown")
        self.assertEqual(forewarp.buffer(10, "int8", "random:1:0:5").text, "buffer.i8:10:random:1:0:5")

        class OnDevice:
            __cuda_array_interface__ = {"shape": (4, 2), "typestr": "<f8", "data": (0, False), "version": 3}

        self.assertEqual(texts([OnDevice()]), ["0=buffer.f64:64:unknown"])

    def test_what_is_refused(self):
        cases = [([object()], "argument 0: is a object; expected a number, an array, forewarp.buffer(..), bytes of a structure, or a "
                              "text as --arg takes it"),
                 ([np.array(["a"], object)], "argument 0: elements of the type object; expected numbers as the GPU has them: little-endian"),
                 ([np.zeros(2, ">f4")], "argument 0: elements of the type >f4; expected numbers as the GPU has them: little-endian"),
                 ([np.longdouble(1)], None), (7, None), ("n=1", None)]
        for given, line in cases:
            with self.assertRaises(forewarp.Error) as refused:
                texts(given)
            if line:
                self.assertEqual(str(refused.exception), line)


class Predicted(unittest.TestCase):
    def test_contents_decide_loops(self):
        kernel = forewarp.load(LISTINGS / "sparse_rows.sm_52.sass")
        rows = 1024

        def sectors(length):
            begin = np.arange(0, (rows + 1) * length, length, dtype=np.int32)
            column = np.arange(rows * length, dtype=np.int32) % rows
            args = {"row_begin": begin, "column": column, "value": np.ones(rows * length, np.float32),
                    "x": np.arange(rows, dtype=np.float32), "y": forewarp.buffer(rows), "rows": rows}
            result = kernel.predict("titanx", rows // 128, 128, args)
            # Addresses of memory files are none of the result: the same on every run.
            self.assertEqual(result.launch.args["row_begin"], f"buffer of {4 * (rows + 1)} bytes")
            self.assertNotIn("/proc/self", result.report("json"))
            return result.profile.global_load_sectors

        # Two bounds of a row, then a number and a column for each element, and x: far more than twice as much.
        self.assertGreater(sectors(16), 2 * sectors(4))

    def test_module_variables_have_contents_too(self):
        kernel = forewarp.load(LISTINGS / "module_variables.sm_89.sass")
        given = np.arange(8, dtype=np.float32)
        result = kernel.predict("l4", 10, 128, [forewarp.buffer(1280), 1280], constants={"weights": given})
        self.assertEqual(result.options["constant.weights"], "buffer.f32:32:array")
        again = result.request.but(block=64)
        self.assertEqual(again.predict().options["constant.weights"], "buffer.f32:32:array")
        with self.assertRaises(forewarp.Error) as refused:
            kernel.predict("l4", 10, 128, [forewarp.buffer(1280), 1280], constants={"wrights": given})
        self.assertIn("wrights", str(refused.exception))
        self.assertNotIn("/proc/self", str(refused.exception))

    def test_numpy_and_python_numbers_are_the_same_launch(self):
        self.assertEqual(saxpy2(args={"n": np.int32(4_000_000), "a": np.int32(16)}).predict().time_ms, saxpy2().predict().time_ms)
        self.assertEqual(saxpy2(args=[4_000_000, 16], block=np.int64(256), grid=(np.int32(15625), 1)).predict().time_ms,
                         saxpy2().predict().time_ms)


if __name__ == "__main__":
    unittest.main()
