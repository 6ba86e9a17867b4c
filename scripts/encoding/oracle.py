# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Asks a disassembler for the texts of instruction words. Words of 64 bits have their 21 control bits above them."""
import re
import struct
import subprocess
import tempfile
import threading
from pathlib import Path

from instruction_text import Text, parse

LINE = re.compile(r"^\s*/\*([0-9a-f]+)\*/\s+(.*?)\s*;", re.M)
FAULT = re.compile(r"at address 0x([0-9a-f]+)")
BATCH = 150000
MARKS = 15 << 122  # of reused operands, in long words
WORD = (1 << 105) - 1 | MARKS  # without control bits
# Of these only some forms hold addresses relative to their own; of the others none or all do.
MIXED = ("BRX", "CALL", "JMP", "RET", "RPCMOV", "LEPC", "BRA", "CAL", "JCAL", "PRET")


def tidy(text):
    """One blank after the predicate, the mnemonic and each comma; none elsewhere."""
    guard = re.match(r"@!?U?P\w+\s+", text)
    head = guard.group().strip() + " " if guard else ""
    name, _, rest = text[guard.end() if guard else 0:].strip().partition(" ")
    rest = re.sub(r"(?<=[\[\]]) | (?=[\[\],])", "", " ".join(rest.split())).replace(",", ", ").replace(",  ", ", ")
    return head + name + (" " + rest if rest else "")


def text_sections(image):
    """Offset, size and function of each .text section of an ELF file of 64 bits."""
    table, = struct.unpack_from("<Q", image, 40)
    size, count, names = struct.unpack_from("<HHH", image, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", image, table + k * size) for k in range(count)]
    starts = [sections[names][4] + s[0] for s in sections]
    named = [(image[start:image.index(b"\0", start)].decode(), s) for start, s in zip(starts, sections)]
    return [(s[4], s[5], name[len(".text."):]) for name, s in named if name.startswith(".text.")]


def cubin_words(image, wide):
    """Words of an ELF file's code, with the marks of reused operands."""
    found = set()
    for begin, size, _ in text_sections(image):
        parts = [int.from_bytes(image[at:at + 8], "little") for at in range(begin, begin + size, 8)]
        if wide:
            found |= {(low | high << 64) & WORD for low, high in zip(parts[::2], parts[1::2])}
        else:
            found |= {parts[i + 1 + k] | (parts[i] >> 21 * k & 0x1e0000) << 64 for i in range(0, len(parts) - 3, 4) for k in range(3)}
    return found


class Oracle:
    def __init__(self, tool, arch):
        self.tool, self.arch = tool, arch
        self.wide = int(re.sub(r"\D", "", arch)) >= 70
        self.nop = (0x000fc00000000000 << 64 | 0x7918) if self.wide else (0x7e0 << 64 | 0x50b0000000070f00)
        self.known, self.relative, self.asked = {}, {}, 0
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "words.bin"

    def bits(self):
        """Bits that may change a text; in short words also the marks of reused operands, of which long ones have one rule for all forms."""
        return range(105) if self.wide else [*range(64), *range(81, 85)]

    def opcode_bits(self):
        """Bits that tell instructions apart and nothing else, where that is known."""
        return range(12) if self.wide else ()

    def address(self, index):
        return 16 * index if self.wide else 8 * (index // 3 * 4 + 1 + index % 3)

    def image(self, words):
        # Control bits besides: wait 5 cycles, do not yield, set no barrier. Some instructions are refused
        # without, and marks of reused operands are printed only where the warp does not yield.
        words = [w | 0x7f5 << (105 if self.wide else 64) for w in words]
        if self.wide:
            return b"".join(struct.pack("<QQ", w & (1 << 64) - 1, w >> 64) for w in words)
        words = list(words) + [self.nop] * (-len(words) % 3)
        out = []
        for i in range(0, len(words), 3):
            part = words[i:i + 3]
            control = sum((w >> 64 & 0x1fffff) << 21 * k for k, w in enumerate(part))
            out.append(struct.pack("<4Q", control, *[w & (1 << 64) - 1 for w in part]))
        return b"".join(out)

    def run(self, words):
        self.file.write_bytes(self.image(words))
        # -novliw: no braces around words that are issued together
        command = [self.tool, "-b", self.arch, "-ndf", *([] if self.wide else ["-novliw"]), str(self.file)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        return {int(a, 16): tidy(t) for a, t in LINE.findall(done.stdout)}, {int(a, 16) for a in FAULT.findall(done.stderr)}

    def raw(self, words):
        """(text or None, address) of each word."""
        out = []
        for begin in range(0, len(words), BATCH):
            part = words[begin:begin + BATCH]
            self.asked += len(part)
            texts, faults = self.run(part)
            bad = set()
            while faults:
                bad |= faults
                texts, faults = self.run([self.nop if self.address(i) in bad else w for i, w in enumerate(part)])
                if faults <= bad:
                    break
            for i in range(len(part)):
                at = self.address(i)
                text = None if at in bad else texts.get(at)
                if text is not None and ("INVALID" in text or "?" in text):
                    text = None
                out.append((text, at))
        return out

    def ask(self, words):
        """Text of each word, targets relative to the address of the instruction; None: not an instruction."""
        missing = list(dict.fromkeys(w for w in words if w not in self.known))
        if missing:
            parsed = [(w, *(parse(text) if text else (None, None)), at) for w, (text, at) in zip(missing, self.raw(missing))]
            new = {}
            for w, tokens, values, at in parsed:
                if tokens and "$N" in tokens and self.shape(tokens) not in self.relative:
                    new.setdefault(self.shape(tokens), w)
            if new:
                self.find_relative(new)
            for w, tokens, values, at in parsed:
                if tokens is None:
                    self.known[w] = None
                    continue
                moved = self.relative.get(self.shape(tokens), ())
                if moved:
                    values = tuple(v - at if i in moved else v for i, v in enumerate(values))
                self.known[w] = Text(tokens, values)
        return [self.known[w] for w in words]

    @staticmethod
    def shape(tokens):
        start = tokens.index(" ") + 1 if tokens[0] == "@" else 0
        kinds = "".join(t for t in tokens if t[0] == "$")
        return (tokens if tokens[start] in MIXED else tokens[start], kinds)

    def relative_places(self, tokens):
        return self.relative.get(self.shape(tokens), ())

    def find_relative(self, new):
        """Which places of a shape hold an address: those that move with the instruction."""
        words = list(new.values())
        first = self.raw(words)
        second = self.raw([self.nop] * 3 + words)[3:]
        for tokens, (a, at_a), (b, at_b) in zip(new, first, second):
            if a is None or b is None:
                self.relative[tokens] = ()
                continue
            (ta, va), (tb, vb) = parse(a), parse(b)
            self.relative[tokens] = tuple(i for i, (x, y) in enumerate(zip(va, vb)) if ta == tb and x != y)


class Together:
    """Puts the questions of many threads into one run, once all of them wait for an answer."""

    def __init__(self, oracle):
        self.oracle, self.turn = oracle, threading.Condition()
        self.running, self.waiting, self.round = 0, [], 0

    def bits(self):
        return self.oracle.bits()

    def opcode_bits(self):
        return self.oracle.opcode_bits()

    def relative_places(self, tokens):
        return self.oracle.relative_places(tokens)

    def ask(self, words):
        known = self.oracle.known
        if all(w in known for w in words):
            return [known[w] for w in words]
        with self.turn:
            self.waiting.append(words)
            mine = self.round
            if len(self.waiting) == self.running:
                self.answer()
            while self.round == mine:
                self.turn.wait()
        return [self.oracle.known[w] for w in words]

    def answer(self):
        self.oracle.ask([w for words in self.waiting for w in words])
        self.waiting, self.round = [], self.round + 1
        self.turn.notify_all()

    def map(self, function, items):
        """function(item) for all items, each in a thread."""
        results = [None] * len(items)

        def work(k):
            try:
                results[k] = function(items[k])
            finally:
                with self.turn:
                    self.running -= 1
                    if self.waiting and len(self.waiting) == self.running:
                        self.answer()

        self.running = len(items)
        threads = [threading.Thread(target=work, args=(k,)) for k in range(len(items))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return results
