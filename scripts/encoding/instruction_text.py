# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Instruction texts as a shape (literal tokens and typed places) and the numbers in the places."""
import functools
import re

TOKEN = re.compile(r"""
  (?P<space>\s+)
 |(?P<list>\{[0-9, ]*\})
 |(?P<mod>\.[A-Za-z_0-9]+)
 |(?P<reg>(?<![A-Za-z0-9_])(?:UR|UP|SB|R|P|B)(?:[0-9]+|Z|T)(?![A-Za-z0-9_]))
 |(?P<hex>-?0x[0-9a-f]+)
 |(?P<float>[+-](?:INF|QNAN|SNAN)|-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?![A-Za-z0-9_]))
 |(?P<word>[A-Za-z_0-9]+)
 |(?P<punct>.)
""", re.X)
REGISTER = re.compile(r"(UR|UP|SB|R|P|B)([0-9]+|Z|T)")
KINDS = {"R": "R", "UR": "U", "P": "P", "UP": "Q", "SB": "S", "B": "B"}
ONES = {"R": 255, "U": 63, "P": 7, "Q": 7}


class Text:
    """tokens: literals, or "$" and the kind of a place; values: the number of each place, of a float its text."""
    __slots__ = ("tokens", "values", "places", "mnemonic", "kinds")

    def __init__(self, tokens, values):
        self.tokens, self.values = tokens, values
        self.places = [i for i, t in enumerate(tokens) if t[0] == "$"]
        self.kinds = tuple(tokens[i] for i in self.places)
        start = tokens.index(" ") + 1 if tokens[0] == "@" and " " in tokens else 0
        self.mnemonic = tokens[start] if start < len(tokens) else ""


@functools.lru_cache(maxsize=400000)
def parse(text):
    tokens, values = [], []
    for match in TOKEN.finditer(text):
        group, found = match.lastgroup, match.group()
        if group == "space":
            tokens.append(" ")
        elif group == "reg":
            name, number = REGISTER.fullmatch(found).groups()
            kind = KINDS[name]
            if number in "ZT":
                if kind not in ONES or (number == "T") != (kind in "PQ"):
                    tokens.append(found)
                    continue
                number = ONES[kind]
            tokens.append("$" + kind)
            values.append(int(number))
        elif group == "hex":
            tokens.append("$N")
            values.append(int(found, 16))
        elif group == "float":
            tokens.append("$F")
            values.append(found)
        else:
            tokens.append(found)
    return tuple(tokens), tuple(values)
