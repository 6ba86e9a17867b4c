# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
import contextlib
import io
import os
import re
import unittest

from fixture import ROOT, SIMULATOR, needs

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = {"a CUDA toolkit": needs.TOOLKIT, "forewarp-system": SIMULATOR, "Matplotlib": needs.MATPLOTLIB}


class Documents(unittest.TestCase):
    def test_what_docs_python_says_runs_as_it_stands(self):
        blocks = BLOCK.findall((ROOT / "docs" / "python.md").read_text(encoding="utf-8"))
        self.assertGreaterEqual(len(blocks), 6)
        names = {}
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(ROOT)
        os.environ.setdefault("MPLBACKEND", "Agg")
        for number, block in enumerate(blocks, 1):
            need = re.match(r"# needs: (.*)\n", block)
            if need and needs.lacks(f"docs/python.md:block-{number}", NEEDS[need.group(1)]):
                continue
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, "docs/python.md", "exec"), names)
        self.assertIn("table", names)


if __name__ == "__main__":
    unittest.main()
