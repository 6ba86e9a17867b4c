# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Writes forms as the text of data/encoding (docs/encoding.md says what the lines mean)."""


MOST_INPUTS = 24


def runs(bits):
    """first:count:log2 of the first weight, per run of neighbouring bits with doubling weights; "-" before a negative weight."""
    out = []
    for bit, weight in bits:
        size = abs(weight)
        if size == 0 or size & (size - 1):
            return None
        power = size.bit_length() - 1
        if out and weight > 0 and out[-1][3] and out[-1][0] + out[-1][1] == bit and out[-1][2] + out[-1][1] == power:
            out[-1][1] += 1
        else:
            out.append([bit, 1, power, weight > 0])
    return ",".join(f"{b}:{n}:{'' if up else '-'}{p}" for b, n, p, up in out)


def spelled(tokens):
    # Braces of the text itself, of a list of scoreboards, are written ` and '.
    return "".join("{%d}" % t if isinstance(t, int) else t.replace("{", "`").replace("}", "'") for t in tokens)


def field_line(field):
    if field.format:
        bits = runs([(b, 1 << k) for k, (b, _) in enumerate(field.bits)])
        return f"f\t{field.format}\t{bits}"
    bits = runs(sorted(field.bits))
    if bits is None:
        return None
    kind = "A" if getattr(field, "relative", False) else field.kind
    return f"f\t{kind}\t{bits}" + (f"\t{field.constant}" if field.constant else "")


def input_name(item):
    return f"b{item}" if isinstance(item, int) else f"{item[0]}={item[1]}"


# Written once for all forms of 128 bits.
REUSE = "reuse\t24:122,32:123,64:124:01456,64:123:237,32:124::33,32:124::42,32:124::48,32:124::51,32:124::52\nunmarked\t352\t368"
REUSE_BITS = range(122, 126)


def mask_bits(line):
    return int(line.split("\t")[1], 16).bit_count()


def with_form(lines, form):
    """The lines of a file with a form where it is tried: before those with fewer bits in their mask."""
    at = next((k for k, line in enumerate(lines) if line.startswith("i\t") and mask_bits(line) < mask_bits(form[0])), len(lines))
    return lines[:at] + form + lines[at:]


def blocks(lines):
    """The lines of each form."""
    out = []
    for line in lines:
        if line.startswith("i\t"):
            out.append([])
        out[-1].append(line)
    return out


def unnumbered(line):
    return line.split("\t")[:2] if line.startswith("p\t") else line


def named(line, entries, tables):
    """A line of a form; that of a part with the number of its table."""
    return line if entries is None else "\t".join([*line.split("\t")[:2], tables.number(entries)])


class Numbered:
    """Tables of a file by number, and those that are new; forms that come to it."""

    def __init__(self, lines):
        self.entries = {n: e for _, n, e in (line.split("\t", 2) for line in lines if line.startswith("t\t"))}
        self.numbers = {e: n for n, e in self.entries.items()}
        self.new, self.forms = [], []

    def number(self, entries):
        if entries not in self.numbers:
            number = str(1 + max(map(int, self.entries), default=-1))
            self.numbers[entries], self.entries[number] = number, entries
            self.new.append(f"t\t{number}\t{entries}")
        return self.numbers[entries]

    def joined(self, number, entries):
        """The entries of a table and those of others for which it has none."""
        def split(text):
            return {int(index, 16): piece for index, piece in (entry.split("=", 1) for entry in text.split("\t"))}
        both = {**split(entries), **split(self.entries[number])}
        return "\t".join(f"{index:x}={piece}" for index, piece in sorted(both.items()))


def end_of(lines, at):
    """Behind the form that begins at a line."""
    return next((k for k in range(at + 1, len(lines)) if lines[k][:2] not in ("f\t", "p\t")), len(lines))


def bits_of(form):
    """Bits of which the parts of a form depend."""
    return {name for line in form if line.startswith("p\t") for name in line.split("\t")[1].split(",")}


def unlike(own, form):
    """Whether forms of the same words have other texts or parts."""
    return [unnumbered(line) for line in own] != [unnumbered(line) for line in form]


def used(lines):
    """The lines without tables that no part refers to."""
    numbers = {line.split("\t")[2] for line in lines if line.startswith("p\t")}
    return [line for line in lines if not line.startswith("t\t") or line.split("\t")[1] in numbers]


class TableFile:
    def __init__(self):
        self.tables, self.lines = {}, []

    def add(self, form):
        fields = [field_line(f) for f in form.fields]
        if None in fields or any(len(p.inputs) > MOST_INPUTS for p in form.parts):
            return False
        template, at, parts = "", 0, []
        kept = [p for p in form.parts if not (len(p.inputs) == 1 and p.inputs[0] in REUSE_BITS)]
        reused = sum(1 << b for b in REUSE_BITS)
        mask, match = form.mask & ~reused, form.match & ~reused
        for k, part in enumerate(kept):
            template += spelled(form.base[at:part.span[0]]) + f"<{k}>"
            at = part.span[1]
            entries = "\t".join(f"{i:x}={spelled(t)}" for i, t in sorted(part.table.items()))
            number = self.tables.setdefault(entries, len(self.tables))
            parts.append("p\t%s\t%d" % (",".join(map(input_name, part.inputs)), number))
        template += spelled(form.base[at:])
        self.lines += [f"i\t{mask:x}\t{match:x}\t{template}", *fields, *parts]
        return True

    def behind(self, text, replace=False):
        """The text of a file with the forms here that it lacks, in their order, with entries of tables that its own forms lack, and
        their tables. With `replace` forms of the same words stand for those of the file, which were wrong."""
        lines = text.splitlines()
        known = {tuple(line.split("\t")[1:3]): k for k, line in enumerate(lines) if line.startswith("i\t")}
        tables, wider = Numbered(lines), {}
        given = list(self.tables)
        for form in blocks(self.lines):
            entries = [given[int(line.split("\t")[2])] if line.startswith("p\t") else None for line in form]
            key = tuple(form[0].split("\t")[1:3])
            if key not in known:
                tables.forms.append([named(line, e, tables) for line, e in zip(form, entries)])
                continue
            own = lines[known[key]:end_of(lines, known[key])]
            if bits_of(own) < bits_of(form) or replace and unlike(own, form):  # what it prints hangs on more bits than was known
                wider[key] = [named(line, e, tables) for line, e in zip(form, entries)]
                continue
            if not unlike(own, form):
                for k, (line, e) in enumerate(zip(own, entries)):
                    if e is not None:
                        lines[known[key] + k] = named(line, tables.joined(line.split("\t")[2], e), tables)
        for key, form in wider.items():
            at = next(k for k, line in enumerate(lines) if line.startswith("i\t") and tuple(line.split("\t")[1:3]) == key)
            lines[at:end_of(lines, at)] = form
        for form in tables.forms:
            lines = with_form(lines, form)
        last = max(k for k, line in enumerate(lines) if line.startswith("t\t"))
        return "\n".join(used(lines[:last + 1] + tables.new + lines[last + 1:])) + "\n"

    def text(self, head):
        tables = [f"t\t{number}\t{entries}" for entries, number in self.tables.items()]
        return "\n".join([*head, *tables, *self.lines]) + "\n"
