# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
import json
import os
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

from fixture import ROOT, SIMULATOR, needs

import forewarp

SYSTEMS = ROOT / "examples" / "systems"


class Simulating(unittest.TestCase):
    def setUp(self):
        needs.want(self, SIMULATOR)

    def test_two_simulations_in_one_process_agree(self):
        """A second engine in one process would start at the first one's end time."""
        first, second = (forewarp.simulate(SYSTEMS / "testbed.toml", SYSTEMS / "saxpy2.lua") for _ in range(2))
        self.assertEqual(first.to_dict(), second.to_dict())
        self.assertAlmostEqual(first.time_ms, 595.695981, delta=1e-6)
        with ThreadPoolExecutor(4) as pool:
            for one in pool.map(lambda _: forewarp.simulate(SYSTEMS / "testbed.toml", SYSTEMS / "saxpy2.lua"), range(4)):
                self.assertEqual(one.to_dict(), first.to_dict())

    def test_what_is_given(self):
        with tempfile.TemporaryDirectory() as folder:
            app, trace = Path(folder) / "app.lua", Path(folder) / "trace.json"
            app.write_text('local v = sim.variables{n = 1, on = false}\nsim.process("CPU", function() sim.delay(v.on and v.n or 0) end)\n', encoding="utf-8")
            run = forewarp.simulate(SYSTEMS / "testbed.toml", app, variables={"n": 3, "on": True}, processes={"CPU": 1},
                                    change={"base_w": 100}, trace=trace)
            self.assertAlmostEqual(run.time_s, 3)
            self.assertAlmostEqual(run.energy_ws, 300)
            self.assertTrue(json.loads(trace.read_text(encoding="utf-8"))["traceEvents"])

    def test_refusals_are_errors(self):
        with self.assertRaisesRegex(forewarp.Error, "the application has no such variable"):
            forewarp.simulate(SYSTEMS / "testbed.toml", SYSTEMS / "saxpy2.lua", variables={"none": 1})
        with mock.patch.dict(os.environ, {"FOREWARP_SYSTEM": "", "PATH": ""}), mock.patch("pathlib.Path.exists", return_value=False):
            with self.assertRaisesRegex(forewarp.Error, "forewarp-system: is not on PATH"):
                forewarp.simulate("s.toml", "a.lua")


if __name__ == "__main__":
    unittest.main()
