#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Each structure check is shown to pass on a sound little tree and to fail on a broken one."""
import stat
import tempfile
import unittest
from pathlib import Path

from coverage_check import CAPABILITIES
from data_check import check_data
from structure import CHECKS
from tree import Tree

SPDX = "// SPDX-FileCopyrightText: The Forewarp authors\n// SPDX-License-Identifier: Apache-2.0\n"
HEADER = SPDX + "#pragma once\n"
LAYERS = "0 base : \n1 program : base\n1 hardware : base\n5 model : base program\n9 tools : base model\n9 python : base model\n"


def coverage_table(**replaced):
    rows = {f"{prefix}-{n:02}": "not yet: a later milestone"
            for prefix, count in CAPABILITIES.items() for n in range(1, count + 1)}
    rows["VOL-01"] = "`tests/unit/a_test.cpp::Suite.Works`"
    rows.update({name.replace("_", "-"): status for name, status in replaced.items()})
    return "".join(f"| {name} | a subject | {status} |\n"
                   for name, status in rows.items() if status is not None)


SOUND = {
    "tests/structure/layers.txt": LAYERS,
    "ARCHITECTURE.md": f"```\n{LAYERS}```\n",
    "src/base/text.h": HEADER,
    "src/hardware/schema.cpp": SPDX + 'rows[] = {\n    {"l2.bytes", "bytes", required, none},\n    {"name", "word", positive, none},\n};\n',
    "src/hardware/resource_role.h": HEADER + '{ResourceRole::l2_read, "l2_read", "L2 reads"}, '
                                           '{ResourceRole::issue, "issue", "warp schedulers"}\n',
    "src/program/kernel.h": HEADER + '#include "base/text.h"\n',
    "src/model/builtin.cpp": SPDX + '#include "model/good/good_model.h"\nadd(GoodModel());\n',
    "src/model/good/good_model.h": HEADER + '#include "program/kernel.h"\n'
                                            "class GoodModel final : public Model {};\n",
    "tools/forewarp/main.cpp": SPDX + '#include "command.h"\n#include "model/good/good_model.h"\n',
    "tools/forewarp/command.h": HEADER,
    "tests/unit/a_test.cpp": SPDX + "TEST(Suite, Works) {\n  EXPECT_TRUE(works());\n}\nTEST(Suite, Idle) {\n}\n",
    "docs/coverage.md": coverage_table(),
    "validation/sets/README.md": "| `a.csv` | `alpha` | |\n| `b.csv` | none | facts |\n",
    "data/intervals.toml": "",
    "validation/sets/alpha.toml": 'name = "alpha"\ncsv = "a.csv"\n',
    "data/gpus/board9.toml": 'name = "NVIDIA GeForce Board 9"\n',
    "tests/fixtures/listings/a.sass": "\t\tFunction : _Z7saxpy77iPf\n\t\tFunction : _Z5scalefPf\n",
}


class Checks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for path, text in SOUND.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def expect(self, check, fault):
        """The check passes every other sound tree and names this fault here."""
        faults = CHECKS[check](Tree(self.root))
        self.assertTrue(any(fault in line for line in faults), (check, fault, faults))

    def test_sound_tree_passes(self):
        for name, check in CHECKS.items():
            self.assertEqual(check(Tree(self.root)), [], name)

    def test_edge_outside_the_table(self):
        self.write("src/base/text.h", HEADER + '\n#include "program/kernel.h"\n')
        self.expect("layers", 'src/base/text.h:5: base may not include "program/kernel.h"')

    def test_library_where_the_table_has_it_not(self):
        self.write("src/model/good/more.cpp", SPDX + "#include <forewarp/gpu.h>\n")
        self.expect("layers", "src/model/good/more.cpp:3: model may not include <forewarp/gpu.h>")

    def test_library_from_inside(self):
        self.write("tests/structure/layers.txt", LAYERS.replace("base model\n9 python", "base model api\n8 api : base\n9 python"))
        self.write("src/api/state.h", HEADER)
        self.write("tools/forewarp/main.cpp", SPDX + '#include <forewarp/gpu.h>\n#include "api/state.h"\n')
        self.expect("layers", 'tools/forewarp/main.cpp:4: "api/state.h" is the library\'s own')

    def test_public_header_with_an_inner_one(self):
        for included in ('"program/kernel.h"', "<fmt/format.h>", "<sys/types.h>"):
            self.write("include/forewarp/gpu.h", HEADER + f"#include <forewarp/export.h>\n#include <string>\n#include {included}\n")
            self.expect("public_headers", f"include/forewarp/gpu.h:6: {included} is neither")

    def test_edge_of_the_python_module(self):
        self.write("python/module/own.cpp", SPDX + '#include "own.h"\n#include "program/kernel.h"\n')
        self.write("python/module/own.h", HEADER)
        self.expect("layers", 'python/module/own.cpp:4: python may not include "program/kernel.h"')

    def test_folder_outside_the_table(self):
        self.write("src/extra/new.h", HEADER)
        self.expect("layers", "src/extra: is missing from tests/structure/layers.txt")

    def test_include_that_is_no_file(self):
        self.write("src/program/kernel.h", HEADER + '#include "text.h"\n')
        self.expect("layers", '"text.h" is not a file under src/')

    def test_tools_outside_the_table(self):
        self.write("tools/forewarp/main.cpp", SPDX + '#include "program/kernel.h"\n')
        self.expect("layers", 'tools may not include "program/kernel.h"')

    def test_model_that_includes_another(self):
        self.write("src/model/other/other.h", HEADER + '#include "model/good/good_model.h"\n')
        self.expect("models_apart", "one model includes another")

    def test_cycle_of_folders(self):
        self.write("src/base/text.h", HEADER + '#include "program/kernel.h"\n')
        self.expect("cycles", "include cycle: base -> program -> base")

    def test_cycle_inside_a_folder(self):
        self.write("src/model/other/other.h", HEADER + '#include "model/good/good_model.h"\n')
        self.write("src/model/good/good_model.h", HEADER + '#include "model/other/else.h"\n')
        self.write("src/model/other/else.h", HEADER)
        self.expect("cycles", "include cycle: model/good -> model/other -> model/good")

    def test_cycle_of_a_folder_and_its_own(self):
        self.write("src/base/text.h", HEADER + '#include "base/words/word.h"\n')
        self.write("src/base/words/word.h", HEADER)
        self.assertEqual(CHECKS["cycles"](Tree(self.root)), [])
        self.write("src/base/words/list.h", HEADER + '#include "base/letter.h"\n')
        self.write("src/base/letter.h", HEADER)
        self.expect("cycles", "include cycle: base -> base/words -> base")

    def test_list_of_builtins_stands_above_its_folder(self):
        self.write("src/model/model.h", HEADER)
        self.write("src/model/good/good_model.h", SOUND["src/model/good/good_model.h"] +
                   '#include "model/model.h"\n')
        self.assertEqual(CHECKS["cycles"](Tree(self.root)), [])

    def test_cycle_of_files(self):
        self.write("src/base/text.h", HEADER + '#include "base/more.h"\n')
        self.write("src/base/more.h", HEADER + '#include "base/text.h"\n')
        self.expect("cycles", "circle of units: base/more -> base/text -> base/more")

    def test_circle_of_units(self):
        self.write("src/base/more.h", HEADER + '#include "base/text.h"\n')
        self.write("src/base/text.cpp", SPDX + '#include "base/text.h"\n')
        self.assertEqual(CHECKS["cycles"](Tree(self.root)), [])
        self.write("src/base/text.cpp", SPDX + '#include "base/text.h"\n#include "base/more.h"\n')
        self.expect("cycles", "circle of units: base/more -> base/text -> base/more")

    def test_stale_architecture(self):
        self.write("ARCHITECTURE.md", "nothing\n")
        self.expect("architecture", "lacks the layer table's line '1 program : base'")

    def test_model_reader_or_view_that_is_not_listed(self):
        for folder, base in (("model", "Model"), ("input", "Reader"), ("report/views", "View")):
            self.write(f"src/{folder}/x/new.h", HEADER + f"class New : public {base} {{}};\n")
            self.expect("builtins", f"src/{folder}/x/new.h: New is missing from")

    def test_names_of_boards_and_kernels(self):
        self.write("src/base/text.h", HEADER + 'if (gpu == "board9") {}\n')
        self.expect("names", "the name of a board, 'board9'")
        self.write("src/base/text.h", HEADER + "// as the Board 9 does\n")
        self.expect("names", "the name of a board, 'Board 9'")
        self.write("src/base/text.h", HEADER + "// such as saxpy77\n")
        self.expect("names", "the name of a kernel, 'saxpy77'")
        self.write("src/base/text.h", HEADER + "// such as scale, as in _Z5scalefPf\n")
        self.assertEqual(len(CHECKS["names"](Tree(self.root))), 1)

    def test_hardware_number(self):
        self.write("src/base/text.h", HEADER + "constexpr int warp_size = 32;\n")
        self.expect("hardware_numbers", "warp_size = 3")

    def test_output_and_exit(self):
        for line in ('std::printf("x");', "std::cout << 1;", "std::cerr << 1;", "exit(1);",
                     'fmt::print("x");'):
            self.write("src/base/text.h", HEADER + f"void f() {{ {line} }}\n")
            self.expect("output", "src/base/text.h:4")
        self.write("src/base/text.h", HEADER + "// printf( is only named here\n")
        self.assertEqual(CHECKS["output"](Tree(self.root)), [])

    def test_mutable_state(self):
        self.write("src/base/text.h", HEADER + "void f() {\n  static int count = 0;\n}\n")
        self.expect("globals", "mutable static: 'static int count ='")
        self.write("src/base/text.h", HEADER + "int count = 0;\n")
        self.expect("globals", "mutable global: 'int count = 0;'")

    def test_house_style(self):
        self.write("src/base/a.h", SPDX)
        self.expect("house", "src/base/a.h: lacks #pragma once")
        self.write("src/base/b.h", "#pragma once\n")
        self.expect("house", "src/base/b.h: lacks the two-line SPDX header")
        self.write("src/base/c.h", HEADER + "//" + "x" * 99 + "\n")
        self.expect("house", "src/base/c.h:4: 101 columns")

    def test_coverage_gaps(self):
        self.write("docs/coverage.md", coverage_table(GAJ_07=None))
        self.expect("coverage", "GAJ-07 has 0 rows")
        self.write("docs/coverage.md", coverage_table() + "| VOU-03 | again | not yet: x |\n")
        self.expect("coverage", "VOU-03 has 2 rows")
        self.write("docs/coverage.md", coverage_table() + "| VOU-15 | new | not yet: x |\n")
        self.expect("coverage", "VOU-15 is no known capability")

    def test_coverage_without_a_true_status(self):
        self.write("docs/coverage.md",
                   coverage_table(SAN_02="`tests/unit/a_test.cpp::Suite.Missing`"))
        self.expect("coverage", "names tests/unit/a_test.cpp::Suite.Missing, which does not exist")
        self.write("docs/coverage.md", coverage_table(SAN_02="`tests/unit/b_test.cpp::Suite.Works`"))
        self.expect("coverage", "tests/unit/b_test.cpp::Suite.Works, which does not exist")
        self.write("docs/coverage.md", coverage_table(SAN_02="`tests/unit/a_test.cpp::Suite.Idle`"))
        self.expect("coverage", "SAN-02 names tests/unit/a_test.cpp::Suite.Idle, which asserts nothing")
        self.write("docs/coverage.md", coverage_table(SAN_02="done"))
        self.expect("coverage", "SAN-02 has neither a test nor a reason: 'done'")

    def test_skips(self):
        self.write("tests/command/needs.py", SPDX.replace("//", "#") + "raise unittest.SkipTest(why)\n")
        self.write("tests/command/a_test.py", SPDX.replace("//", "#") + "@needs(TOOLKIT)\ndef test(self):\n    self.skipTest(why)\n")
        self.expect("skips", "tests/command/a_test.py:5: 'skipTest' is not counted")
        self.write("tests/unit/b_test.cpp", SPDX + 'TEST(A, B) {\n  GTEST_SKIP() << "no CUDA toolkit";\n  GTEST_SKIP() << why;\n}\n')
        self.expect("skips", "tests/unit/b_test.cpp:5: GTEST_SKIP() << \"no WHAT\"")

    def test_measured_files_and_sets(self):
        self.write("validation/sets/beta.toml", 'name = "beta"\ncsv = "a.csv"\n')
        self.expect("measured", "a.csv does not name the set beta, validation/sets/beta.toml")
        self.write("validation/sets/README.md", "| `a.csv` | `alpha`, `beta`, `gamma` | |\n| `b.csv` | none | |\n")
        self.expect("measured", "a.csv names the set gamma, which is not of it")
        self.expect("measured", "b.csv has neither a set nor a reason")

    def test_namespaces(self):
        self.write("tests/structure/layers.txt", LAYERS + "9 api : base model\n")
        self.write("src/base/layers.h", HEADER + "namespace forewarp {\nnamespace base {}\n"
                   "namespace program {\nusing namespace base;\n}\nnamespace model {\n}\n}\n")
        self.expect("namespaces", "namespace model must see base program")
        self.expect("namespaces", "src/api/layers.h: namespace api must see base model")
        self.write("src/api/layers.h", HEADER + "namespace forewarp {\nnamespace api {\nusing namespace base;\n}\n}\n")
        self.expect("namespaces", "src/api/layers.h: namespace api must see base model")
        self.write("src/api/own.cpp", SPDX + "namespace forewarp::model {\n}\n")
        self.expect("namespaces", "src/api/own.cpp: namespace forewarp::model; found in the layer api")
        (self.root / "src/base/layers.h").unlink()
        self.write("src/program/a.h", HEADER + "namespace forewarp::base {\n}\n")
        self.expect("namespaces", "src/program/a.h: namespace forewarp::base; found in the layer program")
        twice = HEADER + "namespace forewarp::program {\nstruct Twin {\n};\n}\n"
        self.write("src/program/a.h", twice)
        self.write("src/program/b.h", twice)
        self.expect("namespaces", "program::Twin is defined twice: src/program/a.h, src/program/b.h")

    def test_widening_that_nothing_names(self):
        self.write("data/intervals.toml", '[wider."cut"]\n')
        self.expect("widenings", "nothing in src/ is called 'cut'")

    def test_fact_spelled_as_a_string(self):
        self.write("src/model/good/good_model.cpp", SPDX + '// not "l2.bytes" in a comment\n'
                   'auto a = gpu.number("l2.bytes");\nauto b = std::string("l2.") + key;\nauto c = "name";\n')
        self.assertEqual(len(CHECKS["facts"](Tree(self.root))), 2)
        self.expect("facts", "src/model/good/good_model.cpp:4: the path of a fact, 'l2.bytes'")
        self.expect("facts", "src/model/good/good_model.cpp:5: the path of a fact, 'l2.'")

    def test_resource_by_its_name(self):
        model = "src/model/good/good_model.cpp"
        self.write(model, SPDX + '// not "l2_read" in a comment\nparts.push_back({"issue", 1});\n')
        self.assertEqual(CHECKS["roles"](Tree(self.root)), [])
        for line in ('if (info.name == "issue") {}', 'if ("issue" != info.name) {}', 'name.starts_with("issue");',
                     'cycles_at(in, "issue");', 'const Name name{"l2_read"};'):
            self.write(model, SPDX + line + "\n")
            self.expect("roles", model + ":3: a resource by its name, '")

    def test_board_that_does_not_load(self):
        program = self.root / "forewarp"
        program.write_text("#!/bin/sh\necho 'board9.toml:1: no clock' >&2\nexit 1\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        faults = check_data(Tree(self.root), str(program))
        self.assertEqual(faults[0], "data/gpus/board9.toml: gpu show: board9.toml:1: no clock")
        program.write_text("#!/bin/sh\nexit 0\n")
        self.assertEqual(check_data(Tree(self.root), str(program)), [])


if __name__ == "__main__":
    unittest.main()
