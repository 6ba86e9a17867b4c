# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""A listing of few instructions that show all modifiers and kinds of operands of many."""
import re

PLACE = re.compile(r"\b(UR|UP|SB|R|P|B)\d+\b|(?<![\w.])-?(?:0x[0-9a-f]+|[\d.]+(?:e[+-]?\d+)?)(?!\w)")
GUARD = re.compile(r"^@!?U?P\w+ ")
SIGNS = re.compile(r"[-|!~]|\.H[01]_H[01]|\.reuse")
JUMPS = ("BRA", "CAL", "RET", "BSSY", "JMP", "SSY", "PBK", "PCNT", "BRX", "PRET", "LEPC", "JCAL", "WARPSYNC", "BREAK", "KIL", "CONT")


def traits(text):
    """Each modifier, each operand in its place, and the kinds of all operands, of one operation."""
    name, _, rest = GUARD.sub("", text).partition(" ")
    operation, *modifiers = name.split(".")
    operands = PLACE.sub(lambda m: m.group(1) or "#", rest).split(", ")
    found = {(operation, m) for m in modifiers} | {(operation, k, o) for k, o in enumerate(operands)}
    return found | {(operation, tuple(SIGNS.sub("", o) for o in operands))}


def of_each_form(texts):
    """Words that together have every trait."""
    seen, chosen = set(), []
    for word, text in texts:
        new = traits(text) - seen
        if new and not GUARD.sub("", text).startswith(JUMPS):
            seen |= new
            chosen.append(word)
    return chosen


def printed(arch, words, oracle):
    """The words as the disassembler prints them at these places."""
    lines = [f"\tcode for sm_{arch}", "\t\tFunction : forms"]
    image = oracle.image(words)
    parts = [int.from_bytes(image[k:k + 8], "little") for k in range(0, len(image), 8)]
    for k, (text, at) in enumerate(oracle.raw(words)):
        if not oracle.wide and k % 3 == 0:
            lines.append(f"{'':40}/* 0x{parts[at // 8 - 1]:016x} */")
        lines.append(f"        /*{at:04x}*/  {text} ;  /* 0x{parts[at // 8]:016x} */")
        if oracle.wide:
            lines.append(f"{'':40}/* 0x{parts[at // 8 + 1]:016x} */")
    return "\n".join(lines) + "\n"
