# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What may not stand in a source: names of boards and kernels, hardware numbers, output, globals."""
import re

from tree import without_comments

# Kernels of the fixtures that are called like a key of the case file.
ALSO_KEYS = {"dynamic_shared"}
MANGLED = re.compile(r"Function\s*:\s*(\S+)|^\s*\.text\.(\S+?):", re.MULTILINE)
BOARD_NAME = re.compile(r'^\s*name\s*=\s*"([^"]+)"', re.MULTILINE)
# A function of our own called exit is declared with a type before it; a call is not.
OUTPUT = re.compile(r"(?<!bool )(?<!void )\b(?:f?printf|f?puts|fputc|putchar|abort|exit|perror)\s*\("
                    r"|\bfmt::print\b|\bstd::(?:cout|cerr|clog|exit|abort|terminate)\b")
# A constant whose name speaks of hardware and whose value is a number.
HARDWARE_NUMBER = re.compile(
    r"\bconstexpr\b[^=;(]*\b\w*(?:warp_(?:size|width|lanes)|sector|cache|bank|latency|bandwidth|"
    r"clock|_mhz|_gbs|dram|scheduler)\w*\s*(?:=|\{)\s*\d")
SKIP = re.compile(r"\bskip(?:Test|If|Unless)\b|\bSkipTest\b|@unittest\.skip\b|\breturn 77\b|\bexit\(77\)")
SKIP_WITHOUT_REASON = re.compile(r'\bGTEST_SKIP\(\)(?!\s*<<\s*"not? )')
LOCAL_STATIC = re.compile(r"^\s*(?:static|thread_local)\s+(?!const\b|constexpr\b|inline\b)"
                          r"[\w:<>,&* ]+\s\w+\s*(?:=|\{|;)", re.MULTILINE)
GLOBAL = re.compile(r"^(?:inline\s+)?(?:std::)?(?!const|using|return|namespace|class|struct|enum|"
                    r"typedef|extern|friend|template|static|public|private|concept)"
                    r"[\w:]+(?:<[^;()]*>)?[&*]?\s+\w+_?\s*(?:=[^=;]*|\{[^;]*\})?;", re.MULTILINE)


def plain_name(mangled):
    """_Z6saxpy2iiPfS_ -> saxpy2; a name that is not mangled stays."""
    match = re.match(r"_Z(\d+)", mangled)
    if not match:
        return mangled
    start = match.end()
    return mangled[start:start + int(match.group(1))]


def board_names(tree):
    names = set()
    for path in tree.files("data/gpus", suffixes={".toml"}):
        names.add(path.split("/")[-1].removesuffix(".toml"))
        for name in BOARD_NAME.findall(tree.text(path))[:1]:
            names.add(name)
            names.add(re.sub(r"^NVIDIA (?:Tesla |GeForce )?", "", name))
    return {name for name in names if len(name) > 1}


def kernel_names(tree):
    """Names as in the listings; the plain form too unless it is an ordinary word (scale, fill)."""
    names = set()
    for path in tree.files("tests/fixtures", "examples", suffixes={".sass"}):
        for pair in MANGLED.findall(tree.text(path)):
            name = pair[0] or pair[1]
            names.update({name, plain_name(name)})
    return {name for name in names if re.search(r"[0-9_]", name)} - ALSO_KEYS


def matches(tree, pattern, message, strip=False):
    faults = []
    for path in tree.files("src"):
        text = tree.text(path)
        if strip:
            text = without_comments(text)
        for match in pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            faults.append(f"{path}:{line}: {message} '{match.group().strip()}'")
    return faults


def check_names(tree):
    """A board or a kernel by name under src/: models and readers see numbers only."""
    faults = []
    for kind, names in (("board", board_names(tree)), ("kernel", kernel_names(tree))):
        if names:
            # "T4.3" is a table, and p4 inside a longer word is no board.
            words = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
            pattern = re.compile(rf"(?<![\w.]){'(?:' + words + ')'}(?!\w|\.\d|\s*[=(])")
            faults += matches(tree, pattern, f"the name of a {kind},")
    return faults


def check_hardware_numbers(tree):
    """A number of the hardware as a constant in C++; its place is a data file."""
    return matches(tree, HARDWARE_NUMBER, "a hardware number:", strip=True)


def check_output(tree):
    """Printing or ending the process below tools/."""
    return matches(tree, OUTPUT, "output or exit below tools/:", strip=True)


def check_globals(tree):
    """State that outlives a call and can change."""
    return (matches(tree, LOCAL_STATIC, "mutable static:", strip=True)
            + matches(tree, GLOBAL, "mutable global:", strip=True))


def check_house(tree):
    """SPDX header, #pragma once; 100 columns but for the data tables in .inc."""
    faults = []
    for path in tree.files("src", "include", "tools", "python", "tests", "bench"):
        lines = tree.text(path).splitlines()
        head = "\n".join(lines[:2])
        if "SPDX-FileCopyrightText" not in head or "SPDX-License-Identifier" not in head:
            faults.append(f"{path}: lacks the two-line SPDX header")
        if path.endswith(".h") and "#pragma once" not in lines:
            faults.append(f"{path}: lacks #pragma once")
        if path.endswith(".inc"):
            continue
        faults += [f"{path}:{i}: {len(line)} columns; at most 100"
                   for i, line in enumerate(lines, 1) if len(line) > 100]
    return faults


def check_skips(tree):
    """A test that is skipped without the helper that counts it (tests/command/needs.py), or a runner that does not."""
    faults = []
    for path in tree.files("tests", "python/tests", suffixes={".py"}):
        if path.endswith("command/needs.py") or path.startswith("tests/structure/"):
            continue
        text = tree.text(path)
        for match in SKIP.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            faults.append(f"{path}:{line}: '{match.group()}' is not counted; use tests/command/needs.py")
    for path in tree.files("tests", suffixes={".cpp"}):
        text = tree.text(path)
        for match in SKIP_WITHOUT_REASON.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            faults.append(f"{path}:{line}: GTEST_SKIP() << \"no WHAT\" or \"not WHERE\" says what is counted, the rest in brackets")
    return faults
