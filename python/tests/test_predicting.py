# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
import json
import pickle
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import forewarp
from fixture import LISTINGS, ROOT, SAXPY2, saxpy2


class Predicting(unittest.TestCase):
    def test_keys_of_the_contract(self):
        result = saxpy2().predict()
        for key in ("kernel", "gpu", "launch", "time_ms", "interval_ms", "model", "limited_by", "occupancy", "latency", "bounds",
                    "profile", "models", "findings", "stalls", "assumptions"):
            self.assertIn(key, result)
        self.assertEqual(result.schema, "forewarp.result/1")
        self.assertEqual(result.kernel.name, "saxpy2")
        self.assertEqual(result.launch.block, (256, 1, 1))
        self.assertEqual(result["launch"]["args"].to_dict(), {"n": 4_000_000, "a": 16})
        low, high = result.interval_ms
        self.assertLess(low, result.time_ms)
        self.assertLess(result.time_ms, high)
        self.assertAlmostEqual(sum(result.stalls.values()), 1, places=6)

    def test_is_what_a_report_says(self):
        launch = saxpy2()
        self.assertEqual(float(launch.report("number")), launch.predict().time_ms)
        self.assertEqual(json.loads(launch.report("jsonl"))["time_ms"], launch.predict().time_ms)

    def test_a_result_is_read_only_and_its_copy_is_not(self):
        result = saxpy2().predict()
        with self.assertRaises(AttributeError):
            result.time_ms = 1
        with self.assertRaises(AttributeError) as refused:
            result.limited_by.nothing
        self.assertEqual(str(refused.exception), "Record has no 'nothing'; it has resource, share, sentence")
        copy = result.to_dict()
        copy["limited_by"]["resource"] = "x"
        self.assertNotEqual(result.limited_by.resource, "x")
        self.assertEqual(pickle.loads(pickle.dumps(result)).time_ms, result.time_ms)

    def test_one_line_and_a_page(self):
        result = saxpy2().predict()
        self.assertRegex(repr(result), r"^<forewarp\.Result saxpy2 on gtx970: [\d.]+ ms \([\d.]+ \.\. [\d.]+\), limited by \w+>$")
        self.assertTrue(result._repr_html_().startswith("<iframe srcdoc=\"&lt;!"), result._repr_html_()[:60])
        self.assertIn("assumptions", result.report("text"))

    def test_any_model(self):
        names = [model.name for model in forewarp.models()]
        self.assertIn("volkov", names)
        every = saxpy2(model="all").predict()
        self.assertEqual({model.name for model in every.models}, set(names))
        self.assertEqual(saxpy2(model="volkov").predict().model, "volkov")
        self.assertEqual([model.name for model in saxpy2(model=["volkov", "gajger"]).predict().models], ["volkov", "gajger"])

    def test_options_are_those_of_the_table(self):
        rows = {row.name: row for row in forewarp.options()}
        self.assertEqual(rows["clock"].unit, "MHz")
        self.assertNotIn("format", rows)
        self.assertNotIn("INPUT", rows)
        result = saxpy2(clock=1000, timing="event", warm=True, set={"hw.memory.latency_cycles": 500}, fast=True, budget=0.1).predict()
        self.assertEqual(result.gpu.clock_mhz, 1000)
        self.assertEqual(result.timing, "event")
        options = result.options
        self.assertEqual([options[name] for name in ("clock", "warm", "fast", "budget", "set.hw.memory.latency_cycles")],
                         [1000, "true", "true", 0.1, 500])
        self.assertGreater(saxpy2(clock=500).predict().time_ms, saxpy2(clock=1000).predict().time_ms)

    def test_an_option_that_is_false_is_not_given(self):
        self.assertEqual(saxpy2(fast=False, cold=None).predict().time_ms, saxpy2().predict().time_ms)

    def test_several_gpus_each_with_a_time_or_an_error(self):
        good, bad = saxpy2(gpu=["titanx", "gtx480"]).predict_each()
        self.assertGreater(good.time_ms, 0)
        self.assertIn("the code is for sm_52", bad.error)
        self.assertNotIn("time_ms", bad)
        self.assertEqual(good.request.boards, ["titanx"])

    def test_explains_with_the_listing(self):
        whole = saxpy2().explain()
        self.assertTrue(any(row.critical for row in whole.listing))
        self.assertNotIn("listing", saxpy2().predict())

    def test_profiles_without_a_model(self):
        profile = saxpy2(grid=100).profile()
        self.assertNotIn("time_ms", profile)
        self.assertEqual(profile.profile.source, "executed")
        self.assertEqual(profile.profile.of_blocks, 100)
        self.assertTrue(profile.execution.loops)
        self.assertRegex(repr(profile), r"profile of \d+ of 100 blocks")

    def test_the_same_on_every_thread(self):
        launches = [saxpy2(block=block, gpu=gpu) for block in (64, 128, 256, 512) for gpu in ("gtx970", "gtx980", "titanx")]
        alone = [launch.predict().time_ms for launch in launches]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda launch: launch.predict().time_ms, launches * 3))
        self.assertEqual(together, alone * 3)

    def test_predicting_lets_other_threads_run(self):
        import threading
        import time
        ticks = []
        stop = threading.Event()

        def tick():
            while not stop.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.001)

        clock = threading.Thread(target=tick)
        clock.start()
        began = time.perf_counter()
        saxpy2(no_cache=True, sample="all", grid=4000, model="sim", budget=20).predict()
        took = time.perf_counter() - began
        stop.set()
        clock.join()
        during = [tick for tick in ticks if began < tick < began + took]
        self.assertGreater(took, 0.01)
        self.assertGreater(len(during), 3, f"{len(during)} ticks in {took:.3f} s")


class Loading(unittest.TestCase):
    def test_code_as_a_text_or_bytes(self):
        text = SAXPY2.read_text(encoding="utf-8")
        asked = {"gpu": "gtx970", "grid": 15625, "block": 256, "args": {"n": 4_000_000, "a": 16}}
        of_file = saxpy2().predict()
        for code in (text, text.encode()):
            result = forewarp.load(code).predict(**asked)
            self.assertEqual(result.time_ms, of_file.time_ms)
            self.assertRegex(result.kernel.input, r"^<code [0-9a-f]{12}>$")

    def test_a_file_is_read_again_when_it_is_loaded_again(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "k.sass"
            asked = {"gpu": "titanx", "grid": 100, "block": 256}
            file.write_bytes(SAXPY2.read_bytes())
            self.assertEqual(forewarp.load(file).predict(**asked, args={"n": 1000, "a": 1}).kernel.name, "saxpy2")
            file.write_bytes((LISTINGS / "copy.sm_52.sass").read_bytes())
            self.assertEqual(forewarp.load(file).predict(**asked).kernel.name, "copy")

    def test_several_kernels(self):
        several = forewarp.load(LISTINGS / "several.sm_52.sass")
        names = [kernel.full_name for kernel in several.kernels()]
        self.assertIn("fill<float>(float*, float, int)", names)
        self.assertEqual(several["fill<float>"].predict("titanx", 10, 128, args=[None, 1.0, 1280]).kernel.name, "fill<float>")
        with self.assertRaises(forewarp.Error) as refused:
            several.predict("titanx", 10, 128)
        self.assertRegex(str(refused.exception), "^.*several.sm_52.sass: has 4 kernels that fit; expected one of ")

    def test_no_such_file(self):
        with self.assertRaises(forewarp.Error) as refused:
            forewarp.load("/nowhere/k.cu")
        self.assertEqual(str(refused.exception),
                         "/nowhere/k.cu: there is no such file; expected code, or the path of a file with code")


class Refusing(unittest.TestCase):
    def refused(self, call, *parts):
        with self.assertRaises(forewarp.Error) as caught:
            call()
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        if parts:
            self.assertEqual((error.place, error.found, error.expected, error.way_out), parts)
        return error

    def test_has_the_parts_of_its_line(self):
        error = self.refused(lambda: saxpy2(block=2048).predict())
        self.assertEqual(error.place, "launch")
        self.assertIn(error.found, str(error))
        self.assertNotIn("\n", str(error))
        self.assertEqual(str(pickle.loads(pickle.dumps(error))), str(error))

    def test_an_option_that_there_is_none_of(self):
        self.refused(lambda: saxpy2(clok=1), "option 'clok'", "there is none of this name", "perhaps 'clock'", "forewarp.options() lists all")
        self.refused(lambda: saxpy2(format="json"), "option 'format'", "only the command line has a use for it", "", "forewarp.options() lists all")

    def test_a_value_that_is_none(self):
        self.assertEqual(self.refused(lambda: saxpy2(clock="fast").predict()).place, "clock")
        self.refused(lambda: saxpy2(fast=3), "fast", "3", "True or False", "")

    def test_no_gpu_and_too_many(self):
        self.assertIn("no GPU is given", str(self.refused(lambda: saxpy2(gpu=None).predict())))
        self.refused(lambda: saxpy2(gpu=["gtx970", "titanx"]).explain(), "gpu", "2 GPUs", "one", "predict_each takes several")
        self.assertIn("gtx970", str(self.refused(lambda: saxpy2(gpu="gtx97").predict())))


class Comparing(unittest.TestCase):
    def test_two_launches(self):
        comparison = forewarp.compare(saxpy2(), saxpy2(clock=600))
        self.assertEqual(comparison.ratio, comparison.b.time_ms / comparison.a.time_ms)
        self.assertGreater(comparison.ratio, 1.5)
        self.assertIn("clock", [factor.id for factor in comparison.factors])
        self.assertIn(comparison.answer, repr(comparison))

    def test_a_result_stands_for_its_launch(self):
        self.assertEqual(forewarp.compare(saxpy2().predict(), saxpy2(block=128).predict()).ratio,
                         forewarp.compare(saxpy2(), saxpy2(block=128)).ratio)


class Typed(unittest.TestCase):
    def test_the_stubs_name_what_the_module_has(self):
        import ast
        from forewarp import _core
        stub = ast.parse((ROOT / "python" / "forewarp" / "_core.pyi").read_text(encoding="utf-8"))

        def names(body):
            found = {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
            return found | {node.target.id for node in body if isinstance(node, ast.AnnAssign)}

        def public(thing):
            return {name for name in dir(thing) if not name.startswith("_")}

        self.assertEqual(names(stub.body), public(_core))
        session = next(node for node in stub.body if isinstance(node, ast.ClassDef))
        self.assertEqual({name for name in names(session.body) if name != "__init__"}, public(_core.Session))

    def test_every_public_thing_says_what_it_is(self):
        import inspect
        for name in forewarp.__all__:
            thing = getattr(forewarp, name)
            if not name.startswith("__"):
                self.assertTrue(inspect.getdoc(thing), name)
            if inspect.isclass(thing):
                for method, function in inspect.getmembers(thing, inspect.isfunction):
                    if not method.startswith("_") and method != "text":
                        self.assertTrue(inspect.getdoc(function), f"{name}.{method}")

    def test_the_version_is_the_program_s(self):
        text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        self.assertIn(f"project(forewarp VERSION {forewarp.__version__} ", text)


class Starting(unittest.TestCase):
    def test_a_bad_data_folder_is_told(self):
        import os
        import sys
        done = subprocess.run([sys.executable, "-c", "import forewarp; forewarp.gpus()"], capture_output=True, text=True, check=False,
                              env={**os.environ, "FOREWARP_DATA": "/nowhere"})
        self.assertIn("FOREWARP_DATA: '/nowhere' holds no GPU files", done.stderr)

    def test_importing_needs_numpy_alone(self):
        import os
        import sys
        script = "import sys, forewarp; print([m for m in ('matplotlib', 'numba', 'kernel_tuner', 'cupy', 'triton') if m in sys.modules])"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=os.environ)
        self.assertEqual(done.stdout.strip(), "[]")
