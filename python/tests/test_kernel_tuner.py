# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
import inspect
import math
import sys
import unittest
from collections import namedtuple
from pathlib import Path

import numpy as np

import forewarp
from fixture import needs
from forewarp.kernel_tuner import (CompilationFailedConfig, PredictedFirst, PredictingBackend, RuntimeFailedConfig, TuningProblem,
                                   cost_function, predicting_backend, tune_kernel)

STAND_INS = str(Path(__file__).parent / "stand_ins")

# The parameters of kernel_tuner.tune_kernel 1.4.0, in their order.
TUNE_KERNEL = ("kernel_name kernel_source problem_size arguments tune_params grid_div_x grid_div_y grid_div_z restrictions answer atol "
               "verify verbose lang device platform smem_args cmem_args texmem_args compiler compiler_options defines log iterations "
               "block_size_names quiet strategy strategy_options cache metrics simulation_mode parallel observers objective "
               "objective_higher_is_better objectives seed").split()

# What of a kernel instance a backend sees.
Instance = namedtuple("Instance", "name kernel_source kernel_string temp_files threads grid params arguments")

SOURCE = """
__global__ void scale(float* y, const float* x, float a, int n) {
  const int i = (blockIdx.x * block_size_x + threadIdx.x) * EACH;
  for (int k = i; k < i + EACH && k < n; ++k) y[k] = a * x[k];
}
"""
SIZE = 1 << 20
ARGS = [forewarp.buffer(SIZE), forewarp.buffer(SIZE), np.float32(2), np.int32(SIZE)]
PARAMS = {"block_size_x": [64, 256], "EACH": [1, 4]}


def problem(**changes):
    given = {"kernel_name": "scale", "kernel_source": SOURCE, "problem_size": SIZE, "arguments": ARGS, "tune_params": PARAMS,
             "gpu": "titanx", "grid_div_x": ["block_size_x", "EACH"], **changes}
    return TuningProblem(**given)


class Problems(unittest.TestCase):
    def test_configurations_in_order(self):
        self.assertEqual([tuple(config.values()) for config in problem().configurations()], [(64, 1), (64, 4), (256, 1), (256, 4)])

    def test_restrictions_as_texts_and_functions(self):
        for rules in (["block_size_x * EACH <= 256"], lambda p: p["block_size_x"] * p["EACH"] <= 256,
                      ["block_size_x == 64 or EACH == 1", lambda p: True]):
            self.assertEqual([tuple(config.values()) for config in problem(restrictions=rules).configurations()], [(64, 1), (64, 4), (256, 1)])

    def test_a_block_that_the_board_does_not_take_is_no_configuration(self):
        space = problem(tune_params={"block_size_x": [512, 1024, 2048], "block_size_y": [1, 2], "EACH": [1]})
        self.assertEqual([(config["block_size_x"], config["block_size_y"]) for config in space.configurations()], [(512, 1), (512, 2), (1024, 1)])

    def test_block_and_grid(self):
        # 1000 / (64 * 4) = 3.9 blocks, and 30 / 2 as block_size_y divides y unless something else is said.
        space = problem(problem_size=("500 * EACH // 2", 30), tune_params={"block_size_x": [64], "EACH": [4], "block_size_y": [2]})
        config = next(space.configurations())
        self.assertEqual(space.block(config), (64, 2, 1))
        self.assertEqual(space.grid(config), (4, 15, 1))
        self.assertEqual(problem(problem_size=lambda p: (100 * p["EACH"],), grid_div_x=[]).grid({"EACH": 3}), (300, 1, 1))
        self.assertEqual(problem(grid_div_x=lambda p: p["EACH"] / 2).grid({"EACH": 3}), (math.ceil(SIZE / 1.5), 1, 1))
        self.assertEqual(problem().block({"EACH": 3}), (256, 1, 1))
        self.assertEqual(problem(block_size_names=["TX"]).block({"TX": 96}), (96, 1, 1))

    def code(self, config, **changes):
        return problem(**changes).kernel(config)._content.decode()

    def test_macros_of_a_configuration(self):
        config = {"block_size_x": 64, "EACH": 4, "OTHER": 1}
        self.assertEqual(self.code(config).split(SOURCE)[0], "#define block_size_x 64\n#define EACH 4\n#line 1\n")
        # Only where a file is included are macros that the source does not name of any use.
        self.assertIn("#define OTHER 1\n", self.code(config, kernel_source='#include "k.h"\n' + SOURCE))
        self.assertEqual(self.code(config, defines={"block_size_x": "block_size_x * 2", "EACH": lambda p: p["EACH"] + 1}).split(SOURCE)[0],
                         "#define block_size_x 64 * 2\n#define EACH 5\n#line 1\n")
        unrolled = "\n__global__ void k() {\n#pragma unroll loop_unroll_factor_i\n  for (;;);\n}\n"
        self.assertIn("constexpr int loop_unroll_factor_i = 4;\n",
                      self.code({"loop_unroll_factor_i": 4}, kernel_source=unrolled, grid_div_x=None))
        self.assertNotIn("unroll", self.code({"loop_unroll_factor_i": 0}, kernel_source=unrolled, grid_div_x=None))
        self.assertEqual(problem(kernel_name="scale<EACH>").kernel(config).name, "scale<4>")

    def test_a_source_that_is_made(self):
        self.assertIn("EACH=4", self.code({"EACH": 4}, grid_div_x=None, kernel_source=lambda p: f"// EACH={p['EACH']}\n"))

    def test_what_is_refused(self):
        cases = [(lambda: problem(gpu="gtx97"), None),
                 (lambda: list(problem(restrictions=["EACH <"]).configurations()), "restrictions: 'EACH <': "),
                 (lambda: list(problem(restrictions=["OTHER > 1"]).configurations()),
                  "restrictions: 'OTHER > 1': name 'OTHER' is not defined; expected an expression of block_size_x, EACH"),
                 (lambda: list(problem(restrictions=["__import__('os')"]).configurations()), "restrictions: '__import__('os')': "),
                 (lambda: problem(problem_size=(1, 2, 3, 4)).grid({}), "problem_size: (1, 2, 3, 4); expected one to three sizes"),
                 (lambda: problem(grid_div_x="0").grid({}), "grid_div_x: 0; expected a divisor above 0"),
                 (lambda: problem().cost([1]), "configuration: 1 values; expected 2: block_size_x, EACH")]
        for call, line in cases:
            with self.assertRaises(forewarp.Error) as refused:
                call()
            if line:
                self.assertTrue(str(refused.exception).startswith(line), refused.exception)


class Signatures(unittest.TestCase):
    def test_tune_kernel(self):
        given = list(inspect.signature(tune_kernel).parameters)
        self.assertEqual(given[:len(TUNE_KERNEL)], TUNE_KERNEL)

    def test_backend(self):
        sys.path.insert(0, STAND_INS)
        self.addCleanup(sys.path.remove, STAND_INS)
        from kernel_tuner.backends.backend import METHODS
        for name, parameters in METHODS.items():
            self.assertEqual(tuple(inspect.signature(getattr(PredictingBackend, name)).parameters)[1:], parameters, name)
        self.assertEqual(tuple(inspect.signature(PredictingBackend).parameters), ("device", "iterations", "compiler_options", "observers"))

    def test_what_a_prediction_does_not_have_is_refused(self):
        for name, value in (("observers", [1]), ("cache", "c.json"), ("objective", "energy"), ("lang", "OpenCL"), ("simulation_mode", True)):
            with self.assertRaises(forewarp.Error) as refused:
                tune_kernel("scale", SOURCE, SIZE, ARGS, PARAMS, device="titanx", **{name: value})
            self.assertEqual(refused.exception.place, name)
        with self.assertRaises(forewarp.Error) as refused:
            tune_kernel("scale", SOURCE, SIZE, ARGS, PARAMS)
        self.assertEqual(str(refused.exception), "gpu: no GPU is named; expected gpu= or device= with an id or a name; forewarp.gpus() lists them")


@needs.needs(needs.TOOLKIT)
class Tuning(unittest.TestCase):
    def tuned(self, **changes):
        return tune_kernel("scale", SOURCE, SIZE, ARGS, PARAMS, grid_div_x=["block_size_x", "EACH"], device="titanx", quiet=True, **changes)

    def test_ranks_every_configuration(self):
        results, env = self.tuned(metrics={"GB/s": "8 * 1048576 / time / 1e6", "double": lambda p: 2 * p["GB/s"]})
        self.assertEqual(len(results), 4)
        self.assertEqual([entry["time"] for entry in results], sorted(entry["time"] for entry in results))
        best = results[0]
        self.assertTrue({*PARAMS, "time", "times", "time_low", "time_high", "limited_by", "compile_time", "verification_time", "benchmark_time",
                         "strategy_time", "framework_time", "timestamp", "GB/s"} <= set(best))
        self.assertEqual(best["times"], [best["time"]] * 7)
        self.assertEqual(best["double"], 2 * 8 * SIZE / best["time"] / 1e6)
        self.assertIs(env["best_config"], best)
        self.assertEqual(env["device_name"], forewarp.gpu("titanx").name)
        # Four numbers a thread with a stride between threads take more than one each.
        self.assertEqual(best["EACH"], 1)

    def test_cost_is_the_time(self):
        results, _ = self.tuned()
        cost = cost_function(problem())
        for entry in results:
            self.assertEqual(cost([entry[name] for name in PARAMS]), entry["time"])
            self.assertEqual(cost({name: entry[name] for name in PARAMS}), entry["time"])
        self.assertEqual(cost({"block_size_x": 4096, "EACH": 1}), math.inf)
        self.assertEqual(cost_function(problem(restrictions=["EACH == 1"]))([64, 4]), math.inf)
        self.assertEqual(problem(kernel_source=SOURCE.replace("float a", "wrong a")).cost([64, 1]), math.inf)

    def test_a_configuration_that_does_not_compile_or_run_stands_last(self):
        source = SOURCE.replace("{\n", "{\n#if EACH == 4\n#error no\n#endif\n  __shared__ float big[block_size_x * 40];\n"
                                "  big[threadIdx.x] = a;\n  __syncthreads();\n  if (n < 0) y[0] = big[-n];\n", 1)
        results, env = tune_kernel("scale", source, SIZE, ARGS, {"block_size_x": [64, 256], "EACH": [1, 4]}, device="titanx",
                                   grid_div_x=["block_size_x", "EACH"], smem_args={"size": "(block_size_x == 256) * 20000"}, quiet=True)
        self.assertEqual(results[0]["block_size_x"], 64)
        kinds = [type(entry.get("__error__", 0)) for entry in results]
        self.assertEqual(kinds[:1], [int])
        self.assertEqual(sorted(kind.__name__ for kind in kinds[1:]), ["CompilationFailedConfig"] * 2 + ["RuntimeFailedConfig"])
        self.assertEqual(str(results[-1]["__error__"]), kinds[-1].__name__)
        self.assertTrue(issubclass(kinds[-1], (CompilationFailedConfig, RuntimeFailedConfig)))
        self.assertIs(env["best_config"], results[0])

    def test_a_space_of_which_nothing_compiles_says_why(self):
        with self.assertRaises(forewarp.Error) as refused:
            tune_kernel("scale", "\n__global__ void wrong(\n", SIZE, ARGS, PARAMS, device="titanx")
        self.assertRegex(str(refused.exception), r"^<code [0-9a-f]{12}>:\d+: nvcc says: ")

    def test_constants_and_arrays(self):
        source = "\n__constant__ int passes[1];\n__global__ void k(float* y) {\n  float s = 0;\n" \
                 "  for (int i = 0; i < passes[0]; ++i) s = s * y[0] + 1;\n  y[threadIdx.x] = s;\n}\n"

        def time_of(passes):
            given = problem(kernel_name="k", kernel_source=source, problem_size=1024, arguments=[np.arange(1024, dtype=np.float32)],
                            tune_params={"block_size_x": [128]}, grid_div_x=None, cmem_args={"passes": np.int32(passes)})
            return given.cost([128])

        self.assertGreater(time_of(4000), 2 * time_of(1000))


@needs.needs(needs.TOOLKIT)
class Backends(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, STAND_INS)
        self.addCleanup(sys.path.remove, STAND_INS)
        self.addCleanup(lambda: [sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "kernel_tuner"])

    def instance(self, code=SOURCE, threads=(256, 1, 1)):
        return Instance("scale", None, f"#define block_size_x {threads[0]}\n#define EACH 1\n#line 1\n" + code, {}, threads,
                        (SIZE // threads[0], 1, 1), {}, ARGS)

    def benchmarked(self, backend, instance):
        """As a tuner does it: arguments, code, then every iteration between two events."""
        arguments = backend.ready_argument_list(instance.arguments)
        function = backend.compile(instance)
        for _ in range(3):
            backend.synchronize()
            backend.start_event()
            backend.run_kernel(function, arguments, instance.threads, instance.grid)
            backend.stop_event()
            self.assertTrue(backend.kernel_finished())
            for observer in backend.observers:
                observer.after_finish()
        return backend.observers[-1].get_results()

    def test_runs_in_place_of_a_device(self):
        from kernel_tuner.backends import cupy
        from kernel_tuner.backends.backend import GPUBackend
        before = cupy.CupyFunctions
        with predicting_backend("titanx", model="volkov") as backend_class:
            self.assertIs(cupy.CupyFunctions, backend_class)
            self.assertTrue(issubclass(backend_class, GPUBackend))
            backend = backend_class(device=0, iterations=3, compiler_options=["-use_fast_math"], observers=None)
        self.assertIs(cupy.CupyFunctions, before)
        self.assertEqual((backend.units, backend.max_threads, backend.name), ({"time": "ms"}, 1024, forewarp.gpu("titanx").name))
        found = self.benchmarked(backend, self.instance())
        self.assertEqual(len(found["times"]), 3)
        self.assertAlmostEqual(found["time"], backend.last.time_ms, places=12)
        self.assertEqual(backend.last.model, "volkov")

    def test_too_large_a_launch_has_the_words_to_go_on(self):
        backend = PredictingBackend("titanx")
        with self.assertRaises(RuntimeError) as refused:
            self.benchmarked(backend, self.instance(threads=(2048, 1, 1)))
        self.assertTrue(str(refused.exception).startswith("too many resources requested for launch: launch: "))

    def test_results_of_a_kernel_are_not_there(self):
        backend = PredictingBackend("titanx")
        self.assertEqual(backend.ready_argument_list([np.zeros(4)])[0].content, "zeros")
        with self.assertRaises(NotImplementedError):
            backend.memcpy_dtoh(None, None)
        with self.assertRaises(forewarp.Error):
            PredictingBackend()

    def test_error_configs_are_the_tuner_s_own_where_it_is(self):
        import kernel_tuner.util
        results, _ = tune_kernel("scale", SOURCE.replace("{\n", "{\n#if EACH == 4\n#error no\n#endif\n", 1), SIZE, ARGS, PARAMS,
                                 device="titanx", quiet=True)
        self.assertIsInstance(results[-1]["__error__"], kernel_tuner.util.CompilationFailedConfig)

    def test_a_strategy_measures_what_is_predicted_best(self):
        class Options(dict):
            __getattr__ = dict.get

        class Runner:
            kernel_options = Options(kernel_name="scale", problem_size=SIZE, arguments=ARGS, grid_div_x=["block_size_x", "EACH"])
            kernel_source = namedtuple("KernelSource", "kernel_sources")([SOURCE])

            def run(self, configurations, tuning_options):
                return [dict(zip(PARAMS, values), time=1.0) for values in configurations]

        class Space:
            def sorted_list(self):
                return [(64, 1), (64, 4), (256, 1), (256, 4)]

        results = PredictedFirst("titanx", most=2).tune(Space(), Runner(), Options(tune_params=PARAMS, strategy_options={}))
        self.assertEqual([entry["EACH"] for entry in results], [1, 1])
        results = PredictedFirst("titanx").tune(Space(), Runner(), Options(tune_params=PARAMS, strategy_options={"max_fevals": 1}))
        self.assertEqual(len(results), 1)


if __name__ == "__main__":
    unittest.main()
