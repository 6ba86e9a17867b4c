#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Writes sources that include several others, so that these are compiled at once; prints their names. Called by cmake/Batches.cmake.

    batches.py FOLDER MOST ROOT SOURCE..    FOLDER/batch_N.cpp with at most MOST sources each, included by their paths from ROOT

Two sources go together when no name that one of them keeps to itself (in an unnamed namespace, static, or #define) stands anywhere in the
other, or is that of a variable or parameter in a header below ROOT that only the later one includes, where it would be shadowed. What is a
name of its own is read generously: a name too many costs a larger number of batches, a name too few an error of the compiler. Of headers,
the first name of a declaration is read alone.
"""
import re
import sys
from pathlib import Path

WORD = re.compile(r"[A-Za-z_]\w*")
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
OWN = re.compile(r"(?:\b(?:struct|class|enum|union|using|concept)\s+(?:class\s+)?([A-Za-z_]\w*))|([A-Za-z_]\w*)\s*(?=[({=\[;,])")
DECLARED = re.compile(r"[\w>][\s&*]+([a-z]\w*)(?=\s*[={;,:)])")
KEYWORDS = {"if", "for", "while", "return", "switch", "sizeof", "const", "constexpr", "static", "decltype", "noexcept", "operator", "auto",
            "template", "typename", "requires", "void", "bool", "int", "double", "char", "std"}


def own_names(text):
    """Names declared in unnamed namespaces, outside of further braces and parentheses, and those that are static or macros."""
    names = set(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M))
    names |= set(re.findall(r"^static\b[^;{(=]*?(\w+)\s*[({=;\[]", text, re.M))
    for found in re.finditer(r"\bnamespace\s*\{", text):
        braces, brackets, flat, at = 1, 0, [], found.end()
        while braces and at < len(text):
            character = text[at]
            at += 1
            if character in "{}":
                braces += 1 if character == "{" else -1
                if braces == (2 if character == "{" else 1) and not brackets:
                    flat.append(character)
            elif braces == 1:
                if character == ")":
                    brackets -= 1
                if not brackets:
                    flat.append(character)
                if character == "(":
                    brackets += 1
        names |= {first or second for first, second in OWN.findall(re.sub(r"=[^;,{]*", "=", "".join(flat)))}
        for body in re.findall(r"\benum\s+(?:\w+\s*)?(?::\s*[\w:]+\s*)?\{([^}]*)\}", text[found.end():at]):
            names |= set(WORD.findall(body))  # enumerators without a class
    return names - KEYWORDS


def headers(text, root, read):
    """The headers of ROOT that the text includes, directly or not, and the names that each declares with a type; READ keeps them."""
    found = {}
    for name in re.findall(r'^#include "(.*\.h)"', text, re.M):
        if name not in read and (root / name).exists():
            inner = (root / name).read_text(encoding="utf-8")
            names = set(DECLARED.findall(COMMENT.sub(" ", inner)))
            read[name] = {name: names}  # while what it includes is read
            read[name] = {name: names} | headers(inner, root, read)
        found |= read.get(name, {})
    return found


def grouped(paths, most, root):
    """Lists of paths, each in the order given."""
    groups, read = [], {}  # (paths, own names, all words, headers)
    for path in paths:
        whole = path.read_text(encoding="utf-8")
        for name in re.findall(r'^#include "(.*\.inc)"', whole, re.M):
            whole += (root / name).read_text(encoding="utf-8")
        text = COMMENT.sub(" ", whole)
        own, words = own_names(text), set(WORD.findall(text))
        included = headers(whole, root, read)
        for sources, taken, used, before in groups:
            if len(sources) == most or own & used or taken & words:
                continue
            if not any(taken & names for header, names in included.items() if header not in before):
                sources.append(path)
                taken |= own
                used |= words
                before |= included
                break
        else:
            groups.append(([path], own, words, dict(included)))
    return [sources for sources, *_ in groups]


def main():
    folder, most, root = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, sources in enumerate(grouped([Path(name) for name in sys.argv[4:]], most, root)):
        batch = folder / f"batch_{number}.cpp"
        text = "".join(f'#include "{source.relative_to(root).as_posix()}"\n' for source in sources)
        if not batch.exists() or batch.read_text(encoding="utf-8") != text:
            batch.write_text(text, encoding="utf-8")
        written.append(batch)
    for old in set(folder.glob("batch_*.cpp")) - set(written):
        old.unlink()
    print(";".join(map(str, written)), end="")


main()
