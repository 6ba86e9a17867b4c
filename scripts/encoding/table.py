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


REUSE = "reuse\t24:122,32:123,64:124:01456,64:123:237"  # written once for all forms of 128 bits
REUSE_BITS = range(122, 126)


def mask_bits(line):
    return int(line.split("\t")[1], 16).bit_count()


def with_form(lines, form):
    """The lines of a file with a form where it is tried: before those with fewer bits in their mask."""
    at = next((k for k, line in enumerate(lines) if line.startswith("i\t") and mask_bits(line) < mask_bits(form[0])), len(lines))
    return lines[:at] + form + lines[at:]


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

    def behind(self, text):
        """The text of a file with the forms here that it lacks, in their order, and the tables of these."""
        lines = text.splitlines()
        known = {tuple(line.split("\t")[1:3]) for line in lines if line.startswith("i\t")}
        numbers = {entries: number for _, number, entries in (line.split("\t", 2) for line in lines if line.startswith("t\t"))}
        form = []
        for line in [*self.lines, "i\t0\t0"]:
            kind, *rest = line.split("\t")
            if kind == "i":
                if form:
                    lines = with_form(lines, form)
                form = [] if tuple(rest[:2]) in known else [line]
                taken = bool(form)
            elif kind == "p" and taken:
                entries = list(self.tables)[int(rest[1])]
                if entries not in numbers:
                    numbers[entries] = str(len(numbers))
                    last = max(k for k, other in enumerate(lines) if other.startswith("t\t"))
                    lines.insert(last + 1, f"t\t{numbers[entries]}\t{entries}")
                form.append(f"p\t{rest[0]}\t{numbers[entries]}")
            elif taken:
                form.append(line)
        return "\n".join(lines) + "\n"

    def text(self, head):
        tables = [f"t\t{number}\t{entries}" for entries, number in self.tables.items()]
        return "\n".join([*head, *tables, *self.lines]) + "\n"
