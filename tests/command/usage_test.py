#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Refusals and inputs of the command line as a user meets them: usage_test.py PROGRAM"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
SAXPY2 = ["predict", "examples/saxpy2.sass", "--gpu", "gtx970", "--grid", "10", "--block", "256",
          "--arg", "n=2560", "--arg", "a=3", "--format", "json"]


def run(*arguments, stdin=""):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False,
                          input=stdin, cwd=ROOT)


class Usage(unittest.TestCase):
    def refusal(self, code, *arguments, stdin=""):
        ran = run(*arguments, stdin=stdin)
        self.assertEqual((ran.returncode, ran.stdout), (code, ""), ran.stderr)
        self.assertRegex(ran.stderr, r"\Aforewarp: [^\n]+\n\Z")
        return ran.stderr[len("forewarp: "):-1]

    def test_an_unknown_option_is_answered_with_those_that_exist(self):
        line = self.refusal(2, "predict", "--gpus", "gtx970")
        self.assertTrue(line.startswith("predict: --gpus is no option; expected "))
        self.assertIn(" --gpu, --kernel, ", line)
        self.assertTrue(line.endswith("; did you mean '--gpu'? see 'forewarp predict --help'"), line)

    def test_a_sweep_tells_one_reason_once(self):
        ran = run(*SAXPY2[:6], "--arg", "n=2560", "--arg", "a=3", "--sweep", "block=512,1056,1088,2048")
        self.assertEqual(ran.returncode, 1)
        errors = [line.split("  ")[-1].strip() for line in ran.stdout.splitlines()[1:]]
        self.assertEqual(errors[0], "-")
        self.assertIn("1056", errors[1])
        self.assertEqual(errors[2:], ["as above", "as above"])

    def test_a_missing_or_unknown_command_is_answered_with_the_commands(self):
        self.assertIn("no command was given; expected predict, sweep", self.refusal(2))
        line = self.refusal(2, "predcit")
        self.assertTrue(line.startswith("'predcit' is no command; expected predict"))
        line = self.refusal(2, "gpu", "liist")
        self.assertIn("gpu: 'liist' is no command; expected list, show, check", line)

    def test_a_value_that_does_not_fit_is_one_line(self):
        for arguments in (["predict", "--grid"], ["predict", "--smem", "x"], ["predict", "a", "b"],
                          ["occupancy", "--format", "x"],
                          ["occupancy", "--cc", "7.0", "--gpu", "gtx970"]):
            self.assertIn(f"see 'forewarp {arguments[0]} --help'", self.refusal(2, *arguments))
        self.assertIn("'b' stands where", self.refusal(2, "predict", "a", "b"))

    def test_help_and_version_are_no_errors(self):
        for arguments in (["--help"], ["--version"], ["predict", "--help"]):
            ran = run(*arguments)
            self.assertEqual((ran.returncode, ran.stderr), (0, ""))
            self.assertTrue(ran.stdout)

    def test_the_compilers_words_stand_as_the_compiler_takes_them(self):
        # The listing needs no compiler: what was given is in the echo of the result.
        ran = run(*SAXPY2, "-DN=4", "-D", "M", "-I.", "-std=c++17", "--use_fast_math", "-maxrregcount", "32",
                  "--nvcc-option", "-O1", "--nvcc-option=-ftz=true")
        given = json.loads(ran.stdout)["options"]["nvcc-option"]
        self.assertEqual(given, "-DN=4 -DM -I. -std=c++17 --use_fast_math -maxrregcount=32 -O1 -ftz=true")
        line = self.refusal(2, *SAXPY2, "-D")
        self.assertIn("-D is no option", line)
        self.assertIn("--nvcc-option=-DX is no option", self.refusal(2, "occupancy", "--cc", "7.0", "-DX"))

    def test_sizes_have_units(self):
        ran = run(*SAXPY2, "--arg", "n=2K", "--smem", "4KB")
        launch = json.loads(ran.stdout)["launch"]
        self.assertEqual((launch["args"]["n"], launch["dynamic_shared"]), (2048, 4096))

    def test_a_number_of_unknown_width_is_an_assumption(self):
        """Without types in the listing a number where the code reads eight bytes takes as many, unless its type is given."""
        plain = "".join(line + "\n" for line in (ROOT / "examples/saxpy2.sass").read_text().splitlines() if not line.startswith("// param "))

        def changed_with(*arguments):
            ran = run("predict", "-", "--gpu", "gtx970", "--grid", "64", "--block", "256", "--static", "--format", "json", *arguments, stdin=plain)
            return [a["change_with"] for a in json.loads(ran.stdout)["assumptions"] if a["id"] == "number-width"]
        self.assertEqual(changed_with("--arg", "0=16384", "--arg", "1=4", "--arg", "2=5", "--arg", "3=i64:6"), ["--arg 2=i32:5 for four bytes"])
        self.assertEqual(changed_with("--arg", "0=16384", "--arg", "1=4"), [])

    def test_what_is_not_given_is_asked_for(self):
        assumed = {a["id"]: a for a in json.loads(run(*SAXPY2).stdout)["assumptions"]}
        self.assertIn("not given: x (float*), y (float*)", assumed["arguments-missing"]["text"])
        self.assertEqual(assumed["arguments-missing"]["change_with"], "--arg x=buffer:BYTES --arg y=buffer:BYTES")

    def test_the_command_line_that_gives_what_is_missing_is_there_to_copy(self):
        asked = ["predict", SAXPY2[1], "--gpu", "gtx970", "--grid", "1<<4", "--block", "256", "--arg", "n=4096"]
        ran = run(*asked)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""), ran.stderr)
        reason, command = ran.stderr.splitlines()
        self.assertIn("; add --arg a=NUMBER --arg x=buffer:BYTES --arg y=buffer:BYTES", reason)
        self.assertEqual(reason.count("--arg a="), 1, reason)
        options = "--arg a=NUMBER --arg x=buffer:BYTES --arg y=buffer:BYTES"
        words = " ".join("'1<<4'" if word == "1<<4" else word for word in asked)
        self.assertEqual(command, f"forewarp {words} {options}")
        completed = command.replace("NUMBER", "16").replace("BYTES", "64KB")
        self.assertEqual(run(*shlex.split(completed)[1:]).returncode, 0)

    def missing(self, *arguments):
        """What is named as missing, a line each, and the command that stands below to be copied."""
        ran = run(*arguments)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""), ran.stderr)
        head, *lines, command = ran.stderr.splitlines()
        count = f"{len(lines)} things are" if len(lines) > 1 else "1 thing is"
        self.assertEqual(head, f"forewarp: {arguments[0]}: {count} missing")
        options = [re.split(r"  +", line.strip())[0] for line in lines]
        self.assertEqual(command, " ".join(["forewarp", *arguments, *options]))
        return options, command

    def test_all_that_a_launch_lacks_is_named_at_once(self):
        arguments = ["--arg n=NUMBER", "--arg a=NUMBER", "--arg x=buffer:BYTES", "--arg y=buffer:BYTES"]
        sizes = ["--grid BLOCKS", "--block THREADS"]
        for command in ("predict", "explain", "profile", "advise"):
            options, whole = self.missing(command, SAXPY2[1], "--gpu", "gtx970")
            self.assertEqual(options, sizes + arguments)
        for value in ("NUMBER", "BLOCKS", "THREADS", "BYTES"):
            whole = whole.replace(value, "1M" if value == "BYTES" else "64")
        self.assertEqual(run(*shlex.split(whole)[1:]).returncode, 0)
        self.assertEqual(self.missing("predict", SAXPY2[1])[0], ["--gpu ID", *sizes, *arguments])
        self.assertEqual(self.missing("gpus", SAXPY2[1], "--assume-isa")[0], sizes + arguments)
        self.assertEqual(self.missing("predict")[0], ["FILE", "--gpu ID", *sizes])
        several = "tests/fixtures/listings/counted_loops.sm_52.sass"
        self.assertEqual(self.missing("predict", several, "--gpu", "gtx970")[0], ["--kernel NAME", *sizes])
        self.assertEqual(self.missing("predict", SAXPY2[1], "--gpu", "gtx970", "--threads", "64", "--arg", "n=64", "--arg", "x=buffer:256")[0],
                         ["--block THREADS", "--arg a=NUMBER", "--arg y=buffer:BYTES"])

    def test_a_part_that_was_not_built_names_the_command_that_adds_it(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(PROGRAM, folder)
            for words in (["simulate", "a.toml", "b.lua"], ["serve"], ["results", "list", "--store", "r.db"],
                          ["sweep", *SAXPY2[1:-2], "--sweep", "n=1,2", "--store", f"{folder}/r.db"]):
                ran = subprocess.run([alone, *words], capture_output=True, text=True, check=False, cwd=ROOT)
                self.assertEqual(ran.returncode, 1)
                self.assertRegex(ran.stderr, r"^forewarp: forewarp-\w+: was not built beside .*; run scripts/build in Forewarp's sources: .*\n\Z")

    def test_so_does_the_python_package(self):
        ran = subprocess.run([sys.executable, "-B", "-c", "import forewarp"], capture_output=True, text=True, check=False,
                             env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr.splitlines()[-1], r"^ImportError: forewarp: the Python package was not built; run scripts/build in ")

    def test_what_is_wrong_comes_before_what_is_missing(self):
        self.assertIn("nothing.sass", self.refusal(1, "predict", "nothing.sass", "--gpu", "gtx970"))
        self.assertIn("gtx97", self.refusal(1, "predict", SAXPY2[1], "--gpu", "gtx97"))

    def model_option(self, *arguments):
        ran = run(*SAXPY2, *arguments)
        answer = json.loads(ran.stdout)
        self.assertEqual(ran.returncode, 1 if "error" in answer and answer["error"] else 0)
        return answer.get("error")

    def test_a_model_option_that_nothing_reads_is_refused(self):
        self.assertRegex(self.model_option("--option", "contentoin=off"),
                         r"no such option of volkov, .*expected .*volkov\.contention, ")
        self.assertRegex(self.model_option("--option", "volkow.waves=off"),
                         r"'volkow'; expected .*volkov")
        self.assertIn("the model gajger is not asked for",
                      self.model_option("--model", "volkov", "--option", "gajger.counts=text"))
        self.assertFalse(self.model_option("--option", "waves=off"))
        self.assertFalse(self.model_option("--option", "gajger.counts=text"))

    def test_cases_come_from_standard_input(self):
        case = {"id": "a", "input": "examples/saxpy2.sass", "gpu": "gtx970", "grid": [10],
                "block": [256], "args": {"n": 2560, "a": 3}}
        ran = run("predict", "--cases", "-", stdin=json.dumps(case) + "\n{\n")
        self.assertEqual((ran.returncode, ran.stderr), (1, ""))
        first, second = map(json.loads, ran.stdout.splitlines())
        self.assertEqual(first["id"], "a")
        self.assertGreater(first["time_ms"], 0)
        self.assertTrue(second["error"].startswith("standard input:2:2: "), second["error"])
        self.assertIn("cannot be combined with INPUT -", self.refusal(1, "predict", "-", "--cases", "-"))

    def test_the_examples_of_the_documentation_predict_the_same(self):
        text = (ROOT / "docs" / "cases.md").read_text(encoding="utf-8")
        case = re.search(r"```json\n(.*?)```", text, re.DOTALL).group(1).replace("\n", " ")
        ran = run("predict", "--cases", "-", stdin=case)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as launch:
            launch.write(re.search(r"```toml\n(.*?)```", text, re.DOTALL).group(1))
            launch.flush()
            alone = run("predict", "examples/saxpy2.sass", "--gpu", "gtx970", "--launch",
                        launch.name, "--format", "jsonl")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual(json.loads(ran.stdout)["time_ms"], json.loads(alone.stdout)["time_ms"])
        self.assertEqual(json.loads(ran.stdout)["timing"], "event")


if __name__ == "__main__":
    unittest.main()
