# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
import contextlib
import importlib.util
import io
import os
import re
import unittest

from fixture import ROOT, has_simulator, has_toolkit

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = {"a CUDA toolkit": has_toolkit, "forewarp-system": has_simulator, "Matplotlib": lambda: importlib.util.find_spec("matplotlib") is not None}


class Documents(unittest.TestCase):
    def test_what_docs_python_says_runs_as_it_stands(self):
        blocks = BLOCK.findall((ROOT / "docs" / "python.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(blocks), 6)
        names = {}
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(ROOT)
        os.environ.setdefault("MPLBACKEND", "Agg")
        for block in blocks:
            need = re.match(r"# needs: (.*)\n", block)
            if need and not NEEDS[need.group(1)]():
                continue
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, "docs/python.md", "exec"), names)
        self.assertIn("table", names)


if __name__ == "__main__":
    unittest.main()
