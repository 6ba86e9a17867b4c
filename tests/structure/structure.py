#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""structure.py CHECK [--root FOLDER] [--forewarp PROGRAM]: prints faults, exits 1 when there are any."""
import argparse
import sys
from pathlib import Path

from coverage_check import check_coverage, check_measured, check_widenings
from data_check import check_data
from layer_checks import (check_architecture, check_builtins, check_cycles, check_layers,
                          check_models_apart, check_public_headers)
from namespace_check import check_namespaces
from text_checks import (check_globals, check_hardware_numbers, check_house, check_names,
                         check_output, check_skips)
from tree import Tree
from typed_name_checks import check_facts, check_roles

CHECKS = {check.__name__.removeprefix("check_"): check
          for check in (check_layers, check_public_headers, check_models_apart, check_cycles, check_architecture,
                        check_builtins, check_names, check_hardware_numbers, check_output,
                        check_globals, check_house, check_coverage, check_measured,
                        check_namespaces, check_widenings, check_facts,
                        check_roles, check_skips)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("check", choices=[*CHECKS, "data"])
    parser.add_argument("--root", default=Path(__file__).resolve().parents[2])
    parser.add_argument("--forewarp", default="forewarp")
    options = parser.parse_args()
    tree = Tree(options.root)
    if options.check == "data":
        faults = check_data(tree, options.forewarp)
    else:
        faults = CHECKS[options.check](tree)
    print("\n".join(faults) if faults else f"{options.check}: no faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
