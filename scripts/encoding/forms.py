# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Finds out of one word how all words of its form are encoded, by changing its bits and looking at the texts.

A form is a mask and a value that its words match, a shape, fields that fill the shape's places, and parts: some bits (and
conditions on fields, such as "the predicate is PT") that decide together what stands in one span of the shape.
"""
import difflib
import itertools
import math
import struct

from instruction_text import ONES

MOST_PART_BITS = 13
MANY_PART_BITS = 7  # with more, a form is rather split in two


def float_text(kind, raw):
    """As the disassembler prints it: 20 significant digits."""
    value = {"f64": lambda: struct.unpack("<d", struct.pack("<Q", raw))[0],
             "f32": lambda: struct.unpack("<f", struct.pack("<I", raw))[0],
             "f16": lambda: struct.unpack("<e", struct.pack("<H", raw))[0]}[kind]()
    if math.isnan(value):
        width = {"f64": 64, "f32": 32, "f16": 16}[kind]
        return ("-" if raw >> (width - 1) else "+") + "QNAN"
    if math.isinf(value):
        return "+INF" if value > 0 else "-INF"
    if value == 0 and raw:
        return "-0.0"
    return ("%.20g" if abs(value) < 1e9 else "%.20e") % value


class Field:
    """What fills a place: a number (constant plus weights of set bits), or a float (its bits from the lowest of the highest n)."""

    def __init__(self, kind, bits, constant=0, format=""):
        self.kind, self.bits, self.constant, self.format = kind, bits, constant, format

    def mask(self):
        return sum(1 << b for b, _ in self.bits)

    def value(self, word):
        if self.format:
            width = {"f64": 64, "f32": 32, "f16": 16}[self.format]
            raw = sum((word >> b & 1) << k for k, (b, _) in enumerate(self.bits)) << (width - len(self.bits))
            return float_text(self.format, raw)
        return self.constant + sum(w for b, w in self.bits if word >> b & 1)

    def put(self, word, value):
        """The word with this value in its place, if it can be had."""
        word &= ~self.mask()
        rest = value - self.constant
        negative = [b for b, w in self.bits if w < 0]
        if rest < 0:
            for b, w in self.bits:
                if w < 0:
                    word |= 1 << b
                    rest -= w
                    break
        for b, w in sorted((x for x in self.bits if x[1] > 0), key=lambda x: -x[1]):
            if rest >= w:
                word |= 1 << b
                rest -= w
        return word if rest == 0 else None


def holds(condition, value):
    if condition == "one":
        return value == 1
    if condition == "power":
        return value > 1 and value & (value - 1) == 0
    if condition == "float_zero":
        return value in ("0", "-0")
    return value == condition


CONDITIONS = {**{k: [v] for k, v in ONES.items()}, "N": [0, "one", "power"]}
SAMPLE = {"one": 1, "power": 64}


class Part:
    def __init__(self, inputs, span):
        self.inputs, self.span, self.table = inputs, span, {}


class Form:
    def index(self, part, word):
        out = 0
        for k, item in enumerate(part.inputs):
            on = word >> item & 1 if isinstance(item, int) else holds(item[1], self.fields[item[0]].value(word))
            out |= int(on) << k
        return out

    def plain_word(self):
        """A word whose text is the base's; None if none was found."""
        word = self.match
        for k, field in enumerate(self.fields):
            number = {"R": 16 + 8 * k, "U": 8 + 2 * k, "P": k % 3, "Q": k % 3}.get(field.kind)
            if number is None:
                word |= (0x25a5a53 << 3 | 0x25a5a53 << 40) & field.mask()
            elif (changed := field.put(word, number)) is not None:
                word = changed
        for part in self.parts:
            piece = tuple(self.base[part.span[0]:part.span[1]])
            for index, found in part.table.items():
                if found == piece and not any(index >> k & 1 for k, i in enumerate(part.inputs) if not isinstance(i, int)):
                    for k, item in enumerate(part.inputs):
                        if isinstance(item, int):
                            word = word & ~(1 << item) | (index >> k & 1) << item
                    break
        text = self.text(word)
        plain = tuple("$" + self.fields[t].kind if isinstance(t, int) else t for t in self.base)
        return word if self.matches(word) and text is not None and text[0] == plain else None

    def matches(self, word):
        return word & self.mask == self.match

    def text(self, word):
        """(tokens, values) or None where a part has an entry that nobody has seen."""
        out, at = [], 0
        for part in self.parts:
            piece = part.table.get(self.index(part, word))
            if piece is None:
                return None
            out += self.base[at:part.span[0]] + list(piece)
            at = part.span[1]
        out += self.base[at:]
        tokens, values = [], []
        for token in out:
            if isinstance(token, int):
                field = self.fields[token]
                tokens.append("$" + field.kind)
                values.append(field.value(word))
            else:
                tokens.append(token)
        return tuple(tokens), tuple(values)


def rank(item):
    return (0, item, "") if isinstance(item, int) else (1, item[0], str(item[1]))


def difference(base, other):
    i = 0
    while i < len(base) and i < len(other) and base[i] == other[i]:
        i += 1
    j, k = len(base), len(other)
    while j > i and k > i and base[j - 1] == other[k - 1]:
        j, k = j - 1, k - 1
    return i, j, other[i:k]


class Analysis:
    def __init__(self, oracle, word):
        self.oracle, self.seed = oracle, word
        self.neighbours = []  # words of other forms that were met

    def ask(self, words):
        return self.oracle.ask(words)

    def run(self):
        word = self.seed
        if self.ask([word])[0] is None:
            return None
        for _ in range(10):
            grown = self.with_more_places(word)
            if grown is None:
                break
            word = grown
        word = self.with_fuller_numbers(word)
        self.look(word)
        for _ in range(3):
            better = self.canonical()
            if better == self.word:
                break
            self.look(better)
            grown = self.with_more_places(self.word)
            if grown is not None:
                self.look(grown)
        return self.build()

    # A place that is left out while its field has a special value appears when a bit of the field changes.
    def with_more_places(self, word):
        bits = self.oracle.bits()
        answers = self.ask([word] + [word ^ 1 << b for b in bits])
        base, groups = answers[0], {}
        for b, a in zip(bits, answers[1:]):
            if a is not None and a.mnemonic == base.mnemonic and len(a.kinds) >= len(base.kinds) and a.tokens != base.tokens:
                groups.setdefault(a.tokens, []).append((b, a))
        best = None
        for tokens, found in groups.items():
            if found[0][1].kinds == base.kinds:
                moved = {}
                for b, a in found:
                    places = [k for k, (x, y) in enumerate(zip(base.values, a.values)) if x != y]
                    if len(places) == 1:
                        moved.setdefault(places[0], []).append(b)
                for place, changed in moved.items():
                    # A name that depends on a number: IMAD.SHL multiplies by a power of two.
                    if len(changed) >= {"$P": 3, "$Q": 3, "$R": 5, "$U": 4, "$N": 6}.get(base.kinds[place], 99):
                        two = word ^ 1 << changed[0] ^ 1 << changed[len(changed) // 2]
                        if (answer := self.ask([two])[0]) is not None and answer.tokens == tokens:
                            return two
            if len(found[0][1].kinds) == len(base.kinds):
                continue
            i, j, piece = difference(base.tokens, tokens)
            kinds = [t for t in piece if t[0] == "$"]
            if not kinds:
                continue
            changing = sum(len({a.values[p] for _, a in found}) == len(found) for p in range(len(found[0][1].values)))
            need = {"$P": 3, "$Q": 3, "$R": 5, "$U": 4, "$N": 6}.get(kinds[0], 99)
            if changing and len(found) >= need:
                # All but one bit changed back and forth: a value in the middle of the field.
                candidate = word ^ 1 << found[len(found) // 2][0]
                if best is None or len(tokens) < len(best[0]):
                    best = (tokens, candidate)
        return None if best is None else best[1]

    # A number with one bit set whose place is left out at 0: the bit looks as if it made the place. With a second bit set it is seen to be the number's.
    def with_fuller_numbers(self, word):
        self.look(word)
        tries = []
        for b, shown in self.shaping.items():
            if len(shown.kinds) >= len(self.base.kinds):
                continue
            for k, kind in enumerate(self.base.kinds):
                free = [n for n, (place, _) in self.numeric.items() if place == k and not word >> n & 1]
                if kind == "$N" and free:
                    tries.append((word ^ 1 << free[0], word ^ 1 << free[0] ^ 1 << b))
        answers = self.ask([w for pair in tries for w in pair])
        for (fuller, _), with_bit, without in zip(tries, answers[::2], answers[1::2]):
            if None not in (with_bit, without) and with_bit.tokens == without.tokens == self.base.tokens and with_bit.values != without.values:
                return fuller
        return word

    def look(self, word):
        """Sorts the bits by what changing each of them does."""
        bits = self.oracle.bits()
        answers = self.ask([word] + [word ^ 1 << b for b in bits])
        self.word, self.base = word, answers[0]
        base = self.base
        self.numeric, self.shaping, self.hard, self.other, self.idle, self.pairs = {}, {}, [], [], [], {}
        for b, a in zip(bits, answers[1:]):
            if a is None:
                (self.hard if b not in self.oracle.opcode_bits() else self.other).append(b)
            elif a.tokens == base.tokens:
                moved = [k for k, (x, y) in enumerate(zip(base.values, a.values)) if x != y]
                if not moved:
                    self.idle.append(b)
                elif len(moved) == 1 or self.is_pair(moved, a):
                    self.numeric[b] = (moved[0], a.values[moved[0]])
                    self.pairs.update({k: moved[0] for k in moved[1:]})
                else:
                    self.other.append(b)
            elif a.mnemonic == base.mnemonic and b not in self.oracle.opcode_bits() and self.piece(a, {}) is not None:
                self.shaping[b] = a
            else:
                self.other.append(b)
                self.neighbours.append(word ^ 1 << b)
        self.make_fields()
        self.keep_signs()

    # Whether a number's highest bit is a sign may depend on another bit, as of a source's type: those are other forms.
    def keep_signs(self):
        highest = {}
        for k, field in enumerate(self.fields):
            if field.kind == "N" and len(field.bits) >= 16:
                b, weight = min(field.bits, key=lambda x: x[1]) if any(w < 0 for _, w in field.bits) else max(field.bits, key=lambda x: x[1])
                highest[k] = (b, -weight if self.word >> b & 1 else weight)
        asked = [(b, k) for b in self.shaping for k in highest]
        answers = self.ask([self.word ^ 1 << b ^ 1 << highest[k][0] for b, k in asked])
        for (b, k), answer in zip(asked, answers):
            alone = self.shaping.get(b)
            if answer is None or alone is None or answer.tokens != alone.tokens or alone.kinds != self.base.kinds:
                continue
            if alone.values == self.base.values and answer.values[k] != self.base.values[k] + highest[k][1]:
                del self.shaping[b]
                self.other.append(b)
                self.neighbours.append(self.word ^ 1 << b)

    def make_fields(self):
        base = self.base
        self.fields = []
        for k, kind in enumerate(base.kinds):
            bits = sorted(b for b, (place, _) in self.numeric.items() if place == k)
            if kind == "$F":
                self.fields.append(self.float_field(k, bits))
                continue
            weights = []
            for b in bits:
                change = self.numeric[b][1] - base.values[k]
                weights.append((b, -change if self.word >> b & 1 else change))
            weights = self.completed(kind[1], weights)
            constant = base.values[k] - sum(w for b, w in weights if self.word >> b & 1)
            self.fields.append(Field(kind[1], weights, constant))
        for second, first in self.pairs.items():
            distance = base.values[second] - base.values[first]
            self.fields[second] = Field(base.kinds[second][1], self.fields[first].bits, self.fields[first].constant + distance)

    def is_pair(self, moved, answer):
        """Whether one number stands at two places, as that of the uniform register behind another's: [UR4], desc[UR5]."""
        before, after = self.base.values, answer.values
        return len(moved) == 2 and all(self.base.kinds[k] == "$U" for k in moved) and len({after[k] - before[k] for k in moved}) == 1

    # Registers that must be even: bits that may not be changed alone, below those that may.
    def completed(self, kind, weights):
        if kind not in ONES or not weights:
            return weights
        known = {b for b, _ in weights}
        low, weight = min(weights, key=lambda x: x[1])
        out = list(weights)
        while weight > 1 and weight & (weight - 1) == 0 and low - 1 in self.hard:
            low, weight = low - 1, weight // 2
            out.append((low, weight))
        full = {"R": 8, "U": 6, "P": 3, "Q": 3}[kind]
        high, top = max(out, key=lambda x: x[1])
        while len(out) < full and high + 1 in self.hard and high + 1 not in known:
            high, top = high + 1, top * 2
            out.append((high, top))
        for b, _ in out:
            if b in self.hard:
                self.hard.remove(b)
        return sorted(out)

    def float_field(self, place, bits):
        shown = self.base.values[place]
        for format, width in (("f32", 32), ("f64", 64), ("f16", 16)):
            if len(bits) > width:
                continue
            field = Field("F", [(b, 0) for b in bits], 0, format)
            if field.value(self.word) != shown:
                continue
            if all(field.value(self.word ^ 1 << b) == self.numeric[b][1] for b in bits):
                return field
        return Field("F", [], 0, "f32")

    def canonical(self):
        """The word with distinct numbers in its places, none of them special, as far as that keeps the shape."""
        word, choices = self.word, []
        for k, (kind, field) in enumerate(zip(self.base.kinds, self.fields)):
            order = sum(x == kind for x in self.base.kinds[:k])
            if not field.bits:
                continue
            values = []
            if kind == "$R":
                values = [16 + 16 * order, 16 + 16 * order + 8, 17 + 16 * order, 8 + 32 * order]  # the last where bit 4 may not change yet
            elif kind == "$U":
                values = [4 + 8 * order, 4 + 6 * order, 5 + 8 * order]
            elif kind in ("$P", "$Q"):
                values = [(0, 1, 2, 4)[order % 4], 2, 1, 0]
            elif kind == "$N" and sum(w > 0 for _, w in field.bits) >= 4:
                scale = min(abs(w) for _, w in field.bits)
                pattern = (0x2ca5a53 + 0x111110 * order) & ((1 << sum(w > 0 for _, w in field.bits)) - 1)
                # Some must be multiples of up to 16.
                values = [field.constant + p * scale for p in (pattern, pattern & 0xf3, pattern & ~0xf, pattern & ~0x3f, pattern & 0xf0)]
            choices += [(k, value, field.put(self.word, value)) for value in values]
        choices = [c for c in choices if c[2] is not None]
        answers = self.ask([c[2] for c in choices])
        steps, taken = [], set()
        for (k, value, _), answer in zip(choices, answers):
            if k not in taken and answer is not None and answer.tokens == self.base.tokens and answer.values[k] == value:
                taken.add(k)
                word = self.fields[k].put(word, value)
                steps.append(word)
        for word, answer in reversed(list(zip(steps, self.ask(steps)))):
            if answer is not None and answer.tokens == self.base.tokens:
                return word
        return self.word

    def piece(self, answer, special):
        """The tokens of an answer with its places as numbers of fields; None if a place is none of the base's."""
        expected = list(self.base.values)
        for k, value in special.items():
            expected[k] = value
        # Places before and after what differs are the base's own; those between are known by their numbers.
        kinds, count = self.base.kinds, len(answer.values)
        i, j, _ = difference(self.base.tokens, answer.tokens)
        tail = len(self.base.tokens) - j
        first = sum(t[0] == "$" for t in answer.tokens[:i])
        last = sum(t[0] == "$" for t in answer.tokens[len(answer.tokens) - tail:])
        fixed = {k: k for k in range(first)}
        fixed.update({count - 1 - k: len(kinds) - 1 - k for k in range(last)})
        if any(answer.values[p] != expected[k] for p, k in fixed.items()):
            fixed = {}
        out, used, place = [], set(fixed.values()), 0
        for token in answer.tokens:
            if token[0] != "$":
                out.append(token)
                continue
            value, k = answer.values[place], fixed.get(place)
            place += 1
            if k is None:
                found = [k for k, kind in enumerate(kinds) if kind == token and expected[k] == value and k not in used]
                if not found:
                    return None
                k = found[0]
                used.add(k)
            out.append(k)
        return out

    def change(self, inputs):
        """The word with these inputs changed or, for conditions, met; and the special values."""
        word, special = self.word, {}
        for item in inputs:
            if isinstance(item, int):
                word ^= 1 << item
            else:
                value = SAMPLE.get(item[1], item[1])
                word = self.fields[item[0]].put(word, value)
                special[item[0]] = value
                if word is None:
                    return None, special
        return word, special

    def pieces(self, sets):
        words = [self.change(s) for s in sets]
        answers = iter(self.ask([w for w, _ in words if w is not None]))
        out = []
        for word, special in words:
            a = next(answers) if word is not None else None
            same = a is not None and a.mnemonic == self.base.mnemonic
            out.append(self.piece(a, special) if same else None)
            if a is not None and out[-1] is None:
                self.neighbours.append(word)
        return out

    def build(self):
        base = []
        place = 0
        for token in self.base.tokens:
            if token[0] == "$":
                base.append(place)
                place += 1
            else:
                base.append(token)
        inputs = list(self.shaping)
        for k, field in enumerate(self.fields):
            if field.bits and not field.format:
                inputs += [(k, c) for c in CONDITIONS.get(field.kind, [])]
        single = self.pieces([[i] for i in inputs])
        effects = {}
        for item, piece in zip(inputs, single):
            if piece is not None and piece != base:
                effects[item] = difference(base, piece)
        hard = list(self.hard)
        active = list(effects)
        conditions = [i for i in inputs if not isinstance(i, int)]
        pairs = [(a, b) for a, b in itertools.combinations(active, 2) if not self.same_field(a, b)]
        pairs += [(a, h) for h in hard for a in active]
        pairs += list(itertools.combinations(hard, 2))
        # Two conditions that show nothing alone may do so together, as do a bit and one.
        quiet = [i for i in conditions if i not in effects]
        pairs += [(a, b) for a in quiet for b in [*active, *quiet] if a != b and not self.same_field(a, b)]
        together = self.pieces([list(p) for p in pairs])
        joined = {i: i for i in [*active, *hard, *quiet]}

        def root(x):
            while joined[x] != x:
                x = joined[x]
            return x

        order, freed, broad = {}, set(), {b for b, effect in effects.items() if self.is_mode(base, effect)}
        for (a, b), piece in zip(pairs, together):
            if piece is None:
                continue
            ea, eb = effects.get(a), effects.get(b)
            if a in quiet or b in quiet:
                only = ea or eb
                expected = base if only is None else base[:only[0]] + only[2] + base[only[1]:]
                if piece != expected:
                    joined[root(a)] = root(b)
                    freed |= {a, b}
                continue
            if ea is None or eb is None:  # a bit that may be changed only with the other
                joined[root(a)] = root(b)
                freed |= {a, b}
                if self.is_mode(base, difference(base, piece)):
                    broad |= {i for i, effect in ((a, ea), (b, eb)) if effect is None}
                continue
            fits = [pair for pair in ((a, b), (b, a)) if self.composed(base, effects[pair[0]], effects[pair[1]]) == piece]
            if not fits:
                joined[root(a)] = root(b)
            elif len(fits) == 1 or ea[:2] != eb[:2]:
                order[(fits[0])] = True
        members = {}
        for item in joined:
            if item in effects or item in freed:
                members.setdefault(root(item), []).append(item)
        large = [i for items in members.values() if len(items) > MANY_PART_BITS for i in items]
        self.modes = {b for b in broad if isinstance(b, int)}
        if modes := self.modes & set(large):
            return self.without(modes)
        form = Form()
        form.fields, form.base, form.parts = self.fields, base, []
        sets = [x for items in members.values() for x in self.sets_of(sorted(items, key=rank))]
        self.pieces(sets)  # one question for all
        for items in members.values():
            part = self.part(base, items)
            if part is not None:
                form.parts.append(part)
        if modes := self.arrange(form, order):
            return self.without(modes)
        free = 0
        for part in form.parts:
            free |= sum(1 << i for i in part.inputs if isinstance(i, int))
        for field in self.fields:
            free |= field.mask()
        free |= sum(1 << b for b in self.idle)
        everything = sum(1 << b for b in self.oracle.bits())
        form.mask = everything & ~free
        form.match = self.word & form.mask
        form.seed = self.seed
        form.relative = self.oracle.relative_places(self.base.tokens)
        form.idle = self.idle
        return form

    @staticmethod
    def is_mode(base, effect):
        """Whether a bit changes a text in places far apart, as .RELU brings a predicate: what stands between would be joined."""
        blocks = difflib.SequenceMatcher(None, [str(t) for t in base[effect[0]:effect[1]]], [str(t) for t in effect[2]], False).get_matching_blocks()
        return sum(block.size for block in blocks) >= 3

    def without(self, bits):
        """The form of the words whose bits are as here; others are forms of their own."""
        for b in bits:
            self.shaping.pop(b, None)
            self.hard = [h for h in self.hard if h != b]
            self.other.append(b)
            self.neighbours.append(self.word ^ 1 << b)
        return self.build()

    def same_field(self, a, b):
        return not isinstance(a, int) and not isinstance(b, int) and a[0] == b[0]

    @staticmethod
    def composed(base, first, second):
        """Both replacements in one; None where they overlap. Of two insertions at one place the first stands first."""
        if (second[0], second[1]) < (first[0], first[1]) and second[:2] != first[:2]:
            first, second = second, first
        if first[1] > second[0] or (first[:2] == second[:2] and first[0] != first[1]):
            return None
        return base[:first[0]] + first[2] + base[first[1]:second[0]] + second[2] + base[second[1]:]

    @staticmethod
    def sets_of(items):
        """Which inputs to change together to see all that they do."""
        sets = []
        if len(items) <= MOST_PART_BITS:
            for count in range(1 << len(items)):
                sets.append([i for k, i in enumerate(items) if count >> k & 1])
        else:
            for count in range(5 if len(items) < 22 else 3):
                sets += [list(s) for s in itertools.combinations(items, count)]
        rules = [[i[0] for i in s if not isinstance(i, int)] for s in sets]
        return [s for s, r in zip(sets, rules) if len(set(r)) == len(r)]

    def part(self, base, items):
        items = sorted(items, key=rank)
        sets = self.sets_of(items)
        pieces = self.pieces(sets)
        low, high = len(base), 0
        for piece in pieces:
            if piece is not None and piece != base:
                i, j, _ = difference(base, piece)
                low, high = min(low, i), max(high, j)
        if low > high:
            return None
        part = Part(items, (low, high))
        tail = len(base) - high
        for s, piece in zip(sets, pieces):
            if piece is None or piece[:low] != base[:low] or (tail and piece[len(piece) - tail:] != base[high:]) or len(piece) < low + tail:
                continue
            word, _ = self.change(s)
            index = 0
            for k, item in enumerate(items):
                on = word >> item & 1 if isinstance(item, int) else item in s
                index |= int(on) << k
            part.table[index] = tuple(piece[low:len(piece) - tail])
        return part

    def arrange(self, form, order):
        """Parts from left to right, of insertions at one place in the order that pairs have shown; bits that would join too many."""
        def before(a, b):
            if a.span != b.span:
                return a.span < b.span
            return any((x, y) in order for x in a.inputs for y in b.inputs)
        parts = []
        for part in form.parts:
            at = len(parts)
            for k, other in enumerate(parts):
                if before(part, other) and not (part.span == other.span and before(other, part)):
                    at = k
                    break
            parts.insert(at, part)
        # Parts that overlap after all become one.
        for a, b in zip(parts, parts[1:]):
            if a.span[1] > b.span[0]:
                modes = self.modes & {*a.inputs, *b.inputs}
                if modes and len(a.inputs) + len(b.inputs) > MANY_PART_BITS:
                    return modes
                merged = self.part(form.base, list(dict.fromkeys(a.inputs + b.inputs)))
                form.parts = [p for p in parts if p not in (a, b)] + ([merged] if merged else [])
                return self.arrange(form, order)
        form.parts = parts
        return None
