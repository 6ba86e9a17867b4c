# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""docs/coverage.md: one row for every capability of the sources, and only true rows."""
import re

CAPABILITIES = {"VOL": 20, "GAJ": 35, "SAN": 27, "VOU": 14}
ROW = re.compile(r"^\|\s*((?:VOL|GAJ|SAN|VOU)-\d+)\s*\|([^|]*)\|(.*)\|\s*$", re.MULTILINE)
TEST = re.compile(r"`([\w/.-]+)::([\w./]+)`")


ASSERTS = re.compile(r"\b(?:EXPECT|ASSERT)_|\b(?:expect|check|refus|must)\w*\(|\bassert|\breturn\b|\byield\b")


def test_asserts(tree, path, name):
    """Whether the test that a row names says what must hold: Suite.Test, or a function of a script."""
    text = (tree.root / path).read_text(encoding="utf-8")
    if "." in name:
        suite, test = name.split(".", 1)
        body = re.search(rf"\bTEST(?:_F|_P)?\(\s*{suite}\s*,\s*{test}\s*\).*?^\}}", text, re.DOTALL | re.MULTILINE)
    else:
        body = re.search(rf"^( *)def {re.escape(name)}\(.*?(?=^\1\S|\Z)", text, re.DOTALL | re.MULTILINE)
    return body is not None and ASSERTS.search(body.group()) is not None


def test_exists(tree, path, name):
    """Suite.Test of a GoogleTest file, or a plain name that the file defines."""
    file = tree.root / path
    if not path.startswith(("tests/", "scripts/")) or not file.is_file():
        return False
    text = file.read_text(encoding="utf-8")
    if "." in name:
        suite, test = name.split(".", 1)
        return re.search(rf"\bTEST(?:_F|_P)?\(\s*{suite}\s*,\s*{test}\s*\)", text) is not None
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def check_status(tree, identifier, status):
    tests = TEST.findall(status)
    if tests:
        faults = [f"docs/coverage.md: {identifier} names {path}::{name}, which does not exist"
                  for path, name in tests if not test_exists(tree, path, name)]
        return faults or [f"docs/coverage.md: {identifier} names {path}::{name}, which asserts nothing"
                          for path, name in tests if not test_asserts(tree, path, name)]
    if re.match(r"not yet: \S", status) or re.match(r"not done, because \S", status):
        return []
    return [f"docs/coverage.md: {identifier} has neither a test nor a reason: '{status}'"]


def check_coverage(tree):
    """A capability without a row, with two rows, or with a test that does not exist."""
    faults, seen = [], {}
    for identifier, subject, status in ROW.findall(tree.text("docs/coverage.md")):
        seen[identifier] = seen.get(identifier, 0) + 1
        if not subject.strip():
            faults.append(f"docs/coverage.md: {identifier} has no subject")
        faults += check_status(tree, identifier, status.strip())
    for prefix, count in CAPABILITIES.items():
        for number in range(1, count + 1):
            rows = seen.pop(f"{prefix}-{number:02}", 0)
            if rows != 1:
                faults.append(f"docs/coverage.md: {prefix}-{number:02} has {rows} rows")
    return faults + [f"docs/coverage.md: {identifier} is no known capability"
                     for identifier in sorted(seen)]


MEASURED = re.compile(r"^\|\s*`([\w./-]+)`\s*\|([^|]*)\|([^|]*)\|\s*$", re.MULTILINE)
KEY = r'^{} = "([^"]+)"'


def check_measured(tree):
    """validation/sets/README.md: every measured file has its sets or a reason, and every set is named."""
    text = tree.text("validation/sets/README.md")
    rows = {file: (sets.strip(), reason.strip()) for file, sets, reason in MEASURED.findall(text)}
    faults, named = [], {}
    for path in tree.files("validation/sets", suffixes={".toml"}):
        about = tree.text(path)
        name, csv = (re.search(KEY.format(key), about, re.MULTILINE) for key in ("name", "csv"))
        if name and not csv:  # stands on another description
            named[name[1]] = None
        if name and csv:
            named[name[1]] = csv[1]
            row = rows.get(csv[1], (text, ""))[0]
            if f"`{name[1]}`" not in row:
                faults.append(f"validation/sets/README.md: {csv[1]} does not name the set {name[1]}, {path}")
    for file, (sets, reason) in rows.items():
        for name in re.findall(r"`(\w+)`", sets):
            if named.get(name, "") not in (file, None):
                faults.append(f"validation/sets/README.md: {file} names the set {name}, which is not of it")
        if not re.search(r"`\w+`", sets) and not reason:
            faults.append(f"validation/sets/README.md: {file} has neither a set nor a reason")
    return faults


WIDENING = re.compile(r'^\[wider\."([^"]+)"\]', re.MULTILINE)


def check_widenings(tree):
    """data/intervals.toml: what widens an interval by name is the name of something that is said."""
    said = "".join(tree.text(path) for path in tree.files("src"))
    return [f"data/intervals.toml: nothing in src/ is called '{name}'"
            for name in WIDENING.findall(tree.text("data/intervals.toml")) if f'"{name}"' not in said]
