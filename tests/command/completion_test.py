#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Completion for shells and the manual page: completion_test.py PROGRAM"""
import re
import subprocess
import sys
import unittest

from needs import GROFF, needs

PROGRAM = sys.argv.pop(1)


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def completed(*words):
    """What bash would offer for the last of the words."""
    script = run("completion", "bash").stdout + """
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_forewarp
printf '%s\\n' "${COMPREPLY[@]}"
"""
    ran = subprocess.run(["bash", "-c", script, "bash", "forewarp", *words], capture_output=True, text=True, check=False, cwd="/proc/self/fdinfo")
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.split())


class Completion(unittest.TestCase):
    def test_bash_offers_commands_flags_and_words(self):
        self.assertEqual(completed("pre"), {"predict"})
        self.assertEqual(completed("gpu", "sh"), {"show"})
        self.assertEqual(completed("predict", "x.sass", "--mod"), {"--model"})
        self.assertEqual(completed("completion", "ba"), set())  # an argument, not a flag
        self.assertEqual(completed("ser"), {"serve"})

    def test_every_command_of_the_help_is_there(self):
        commands = re.findall(r"(?m)^  (\w+)  ", run("--help").stdout)
        self.assertIn("predict", commands)
        for shell in ("bash", "zsh", "fish", "man"):
            text = run("completion", shell).stdout
            for command in commands:
                self.assertTrue(command in text, (command, shell))

    def test_every_flag_of_the_help_is_there(self):
        flags = set(re.findall(r"(?<![\w-])(--[a-z-]+)", run("predict", "--help").stdout)) - {"--help", "--help-all"}
        self.assertIn("--budget", flags)
        page = run("completion", "man").stdout.replace("\\-", "-")
        for flag in flags:
            self.assertTrue(flag in page, flag)
            self.assertTrue("-l " + flag[2:] in run("completion", "fish").stdout, flag)

    @needs(GROFF)
    def test_the_manual_page_can_be_set(self):
        ran = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=run("completion", "man").stdout, capture_output=True, text=True, check=False)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""))

    def test_an_unknown_shell_is_refused(self):
        self.assertEqual(run("completion", "tcsh").returncode, 2)


if __name__ == "__main__":
    unittest.main()
