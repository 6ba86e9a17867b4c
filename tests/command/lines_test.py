# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Reports that speak of lines of the input, for editors and Compiler Explorer: lines_test.py TOOL [TEST ..]."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

from needs import TOOLKIT, needs

ROOT = Path(__file__).resolve().parents[2]
TOOL = Path(sys.argv.pop(1)).resolve()
LISTING = ROOT / "examples" / "saxpy2.sass"
LAUNCH = ["--gpu", "gtx970", "--grid", "15625", "--block", "256", "--arg", "n=4000000", "--arg", "a=16"]
# What editors and Compiler Explorer look for at the beginning of a line.
PLACE = re.compile(r"^(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): ?(?P<rest>.*)$")


def said(*words):
    done = subprocess.run([str(w) for w in (TOOL, "explain", *words)], capture_output=True, text=True, cwd=ROOT, check=True)
    return done.stdout.splitlines()


class Lines(unittest.TestCase):
    def check_places(self, lines, source):
        """Every line that is reported exists, and its column is on it."""
        text = source.read_text().splitlines()
        places = [PLACE.match(line) for line in lines]
        places = [place for place in places if place]
        self.assertTrue(places)
        for place in places:
            self.assertEqual(place["file"], str(source))
            self.assertLessEqual(int(place["line"]), len(text))
            self.assertLessEqual(int(place["column"]), max(1, len(text[int(place["line"]) - 1])))
        return [(int(place["line"]), place["rest"]) for place in places]

    def test_messages_of_a_listing_name_its_instructions(self):
        found = self.check_places(said(LISTING, *LAUNCH, "--format", "gcc"), LISTING)
        self.assertRegex(found[0][1], r"^note: saxpy2 on .* \[forewarp\]$")
        text = LISTING.read_text().splitlines()
        shares = []
        for line, rest in found[1:]:
            self.assertRegex(rest, r"^warning: [0-9.]+ % of the time.* \[forewarp-hot\]$")
            self.assertRegex(text[line - 1], r"/\*[0-9a-f]{4}\*/")
            shares.append(float(rest.split()[1]))
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertGreaterEqual(min(shares), 5)

    def test_the_pane_shows_every_instruction_beside_its_line(self):
        found = self.check_places(said(LISTING, *LAUNCH, "--format", "compiler-explorer"), LISTING)
        text = LISTING.read_text().splitlines()
        self.assertGreater(len(found), 20)
        for line, rest in found:
            opcode = re.search(r"\b(MOV|EXIT|FFMA|FADD|LDG|STG|ISETP|IADD\w*|XMAD|S2R|SHL|SHR|BRA|NOP)\b", rest)
            if opcode:
                self.assertIn(opcode[0], text[line - 1])

    def test_a_refusal_stands_at_the_file(self):
        done = subprocess.run([str(w) for w in (TOOL, "explain", LISTING, "--gpu", "gtx970", "--grid", "1", "--block", "2048", "--format", "gcc")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.startswith(f"{LISTING}: error: "), done.stdout)

    @needs(TOOLKIT)
    def test_messages_of_a_source_name_its_lines(self):
        source = ROOT / "examples" / "everyday" / "saxpy.cu"
        words = [source, "--kernel", "saxpy<float>", "--gpu", "rtx3090", "--grid", "4096", "--block", "256", "--arg", "n=1M", "--arg", "a=2",
                 "--arg", "x=buffer:4MB", "--arg", "y=buffer:4MB"]
        for form in ("gcc", "compiler-explorer"):
            found = self.check_places(said(*words, "--format", form), source)
            self.assertTrue(any("y[i]" in source.read_text().splitlines()[line - 1] for line, _ in found))


if __name__ == "__main__":
    unittest.main()
