#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""forewarp link and copies of a launch as a user runs them: link_test.py PROGRAM"""
import csv
import json
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "validation" / "gajger2017"
PROGRAM = sys.argv.pop(1)
HOSTS = {"970": "pcie-3-x16@gajger", "titanx": "pcie-2-x4@gajger"}
WAYS = {"htd": "h2d", "dth": "d2h"}
# Gajger 2017, Table 5.1: bytes, host to device, device to host, ms.
SMALL = ((4, 0.0042464, 0.0054774), (8, 0.0038608, 0.0050707), (16, 0.0039446, 0.0051018),
         (32, 0.0038378, 0.0051005), (64, 0.0039648, 0.0051171), (128, 0.0039302, 0.0050918),
         (256, 0.0039766, 0.0051203), (512, 0.0039882, 0.0051757))


def run(*arguments, code=0):
    ran = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert ran.returncode == code, (ran.returncode, ran.stderr)
    return ran.stdout if code == 0 else ran.stderr


def rows(name):
    with open(GOLDEN / name, newline="", encoding="ascii") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def times(link, sizes, direction, *more):
    text = run("link", "time", link, "--bytes", ",".join(map(str, sizes)), "--direction", direction,
               "--format", "json", *more)
    return [copy["time_us"] for copy in json.loads(text)["copies"]]


def application(gpu, n, *more):
    return json.loads(run("predict", ROOT / "examples" / "saxpy2.sass", "--gpu", gpu, "--grid", (n + 255) // 256,
                          "--block", 256, "--arg", f"n={n}", "--arg", "a=128", "--arg", f"x=buffer:{4 * n}",
                          "--arg", f"y=buffer:{4 * n}", "--copy", "h2d:same=x", "--copy", f"h2d:{4 * n}:pageable",
                          "--copy", "d2h:same=y", "--timing", "host", "--model", "gajger", "--static",
                          "--format", "json", *more))


class Links(unittest.TestCase):
    def test_copy_times_of_the_thesis(self):  # eqs 5.6 and 5.7 on both hosts, to the digit
        table = rows("copy.csv")
        for host, link in HOSTS.items():
            for way, direction in WAYS.items():
                got = times(link, [row["bytes"] for row in table], direction, "--model", "linear")
                self.assertEqual([f"{us:.6f}" for us in got], [row[f"{host}_{way}_us"] for row in table])

    def test_rate_of_a_copy_without_its_startup(self):  # eq. 5.4: bytes / (T - start-up) is the share of the link that eq. 5.5 is given
        for direction, share, startup in (("h2d", 0.689, 3.9687), ("d2h", 0.653, 5.1569)):
            copy, = json.loads(run("link", "time", HOSTS["970"], "--bytes", 1_000_000, "--direction", direction, "--model", "linear", "--format", "json"))["copies"]
            self.assertAlmostEqual(copy["startup_us"], startup)
            self.assertAlmostEqual(1e-3 * copy["bytes"] / (copy["time_us"] - copy["startup_us"]), 15.8 * share, places=6)
            self.assertAlmostEqual(copy["gbs"], 1e-3 * copy["bytes"] / copy["time_us"], places=6)

    def test_small_copies_as_measured(self):  # Table 5.1 against eq. 5.5
        sizes = [row[0] for row in SMALL]
        for column, direction, least, most in ((1, "h2d", -0.0655, 0.0345), (2, "d2h", -0.0586, 0.0171)):
            errors = [us * 1e-3 / row[column] - 1
                      for us, row in zip(times(HOSTS["970"], sizes, direction), SMALL)]
            self.assertAlmostEqual(min(errors), least, places=3)
            self.assertAlmostEqual(max(errors), most, places=3)

    def test_applications_of_the_thesis(self):
        for row in rows("application.csv"):
            for gpu, host in (("gtx970@gajger", "970"), ("titanx@gajger", "titanx")):
                result = application(gpu, int(row["n"]))
                self.assertAlmostEqual(result["time_ms"], float(row[f"{host}_total_ms"]), delta=1.1e-6)
                self.assertAlmostEqual(result["device_ms"], float(row[f"{host}_kernel_ms"]), delta=0.6e-6)
                self.assertAlmostEqual(result["copies"][0]["time_ms"], float(row[f"{host}_htd_ms"]), delta=0.6e-6)
                self.assertAlmostEqual(result["copies"][2]["time_ms"], float(row[f"{host}_dth_ms"]), delta=0.6e-6)

    def test_every_link_is_listed_and_shown(self):
        links = json.loads(run("link", "list", "--format", "json"))
        self.assertLess({"pcie-1-x1", "pcie-5-x16", "nvlink-4-x18", "nvlink-c2c-x1"}, {link["id"] for link in links})
        for link in links:
            shown = json.loads(run("link", "show", link["id"], "--format", "json"))
            self.assertEqual(shown["theory_gbs"], link["theory_gbs"])
            self.assertTrue(all("source" in fact for fact in shown["facts"].values() if "unit" in fact))

    def test_files_are_checked(self):
        self.assertIn("0 errors", run("link", "check", *sorted((ROOT / "data" / "links").glob("*.toml"))))
        self.assertIn("0 errors", run("link", "check", "pcie-3"))

    def test_what_is_asked_wrongly(self):
        self.assertIn("--bytes", run("link", "time", "pcie-3", code=2))
        self.assertIn("h2d", run("link", "time", "pcie-3", "--bytes", 1, "--direction", "up", code=2))
        self.assertIn("forewarp link list", run("link", "time", "pcie-7", "--bytes", 1, code=1))
        self.assertIn("pinned memory is not staged",
                      run("link", "time", "pcie-3", "--bytes", 1, "--memory", "pinned", "--model", "staging", code=1))
        self.assertIn("link.PATH=VALUE", run("link", "time", "pcie-3", "--bytes", 1, "--set", "share=1", code=1))

    def test_text_report(self):
        ran = run("predict", ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970@gajger", "--grid", 3907, "--block", 256,
                  "--arg", "n=1000000", "--arg", "a=128", "--copy", "h2d:4e6", "--copy", "h2d:4e6", "--copy",
                  "d2h:4e6:pinned", "--timing", "host", "--model", "gajger", "--static")
        for part in ("kernel", "copies", "3 over PCIe 3.0 x16, one after the other", "pinned", "model linear",
                     "copies are blocking"):
            self.assertIn(part, ran)


if __name__ == "__main__":
    unittest.main()
