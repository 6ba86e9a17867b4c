# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""What accesses take: `forewarp gpu access` against the textbook, against the generations' rules written once more, against
what compiled kernels did when they were executed, and against counted wavefronts."""
import csv
import json
import tempfile
from math import gcd
from pathlib import Path

from showing import ROOT, forewarp, run, TOOL

LISTINGS = ROOT / "tests" / "fixtures" / "listings"
SIZES, STRIDES = (4, 8, 16), range(1, 65)
TOY = ("limits.warp_lanes=4", "coalescing.lanes=4", "cache.sector_bytes=16", "cache.line_bytes=16", "shared.banks=4",
       "bank.lanes=4")


def access(gpu, space, size, *arguments):
    answer = json.loads(forewarp("gpu", "access", gpu, "--space", space, "--bytes", size, *arguments,
                                 "--format", "json").stdout)
    return answer


def boards():
    return [(board["id"], int(board["cc"].replace(".", ""))) for board in
            json.loads(forewarp("gpu", "list", "--format", "json").stdout)]


# ---------------------------------------------------------------------------------- the textbook's examples

def toy(gpu, space, words, *changes):
    options = [part for change in TOY + changes for part in ("--set", f"hw.{change}")]
    return access(gpu, space, 4, "--addresses", ",".join(str(4 * word) for word in words), *options)


def coalescing():
    """W7: (board whose rules are asked, changes, words of the four lanes, transactions, words moved)."""
    asked = [("gtx480", (), words, count, 4 * count) for words, count in (
        ((0, 1, 2, 3), 1), ((4, 5, 6, 7), 1), ((1, 2, 3, 4), 2), ((0, 2, 4, 6), 2), ((0, 3, 6, 9), 3), ((2, 4, 13, 11), 4))]
    for words in ((3, 2, 1, 0), (1, 1, 1, 1)):
        asked += [("8800gtx", (), words, 4, 16), ("gtx280", (), words, 1, 4), ("gtx480", (), words, 1, 4)]
    asked.append(("8800gtx", (), (0, 1, 2, 3), 1, 4))
    shorter = ("cache.sector_bytes=8",)  # transactions of four and of two words
    asked.append(("gtx280", shorter, (1, 2, 3, 4), 2, 4 + 2))
    asked.append(("gtx280", shorter + ("coalescing.lanes=2",), (1, 2, 3, 4), 3, 4 + 2 + 2))
    right = 0
    for gpu, changes, words, count, moved in asked:
        answer = toy(gpu, "global", words, *changes)
        right += (answer["transactions"], answer["moved_bytes"]) == (count, 4 * moved)
    return right == len(asked), f"W7 {right} of {len(asked)}"


def conflicts():
    """W8: words of the four lanes, degree."""
    asked = (((0, 1, 2, 3), 1), ((1, 2, 3, 4), 1), ((0, 2, 4, 6), 2), ((0, 3, 6, 9), 1), ((0, 4, 8, 12), 4),
             ((1, 1, 1, 1), 1), ((1, 1, 1, 2), 1), ((1, 3, 5, 8), 2))
    right = sum(toy("gtx480", "shared", words)["conflict_degree"] == degree for words, degree in asked)
    return right == len(asked), f"W8 {right} of {len(asked)}"


def order():
    """W16: address and lanes of what runs after the branch, for lanes' predicates 0,1,1,0 and 1,1,1,1."""
    before = [(pc, 0xf) for pc in (0x08, 0x10, 0x18, 0x20, 0x28, 0x30)]
    parted = [(pc, 0b1001) for pc in (0x60, 0x68, 0x70)] + [(pc, 0b0110) for pc in (0x48, 0x50, 0x58)]
    together = [(pc, 0xf) for pc in (0x48, 0x50, 0x58)]
    right = 0
    for predicates, taken, paths in ((0b0110, 0b1001, parted), (0b1111, 0, together)):
        with tempfile.TemporaryDirectory() as folder:
            forewarp("trace", LISTINGS / "simt_order.sass", "--gpu", "k40", "--grid", 1, "--block", 4, "--arg",
                     f"predicates={predicates}", "--as", "accel-sim", "-o", Path(folder) / "trace")
            lines = (Path(folder) / "trace" / "kernel-1.traceg").read_text().splitlines()
        steps = [(int(line.split()[0], 16), int(line.split()[1], 16)) for line in lines
                 if len(line.split()) > 3 and len(line.split()[0]) == 4]
        # A branch is written with the lanes that take it.
        right += steps == before + [(0x38, taken)] + paths + [(0x78, 0xf)]
    return right == 2, f"W16 {right} of 2"


def textbook():
    told = [part() for part in (coalescing, conflicts, order)]
    return all(holds for holds, _ in told), ", ".join(figure for _, figure in told)


# ---------------------------------------------------------------------------------- the generations' rules

def parts(addresses, lanes):
    return [addresses[first:first + lanes] for first in range(0, len(addresses), lanes)]


def touched(part, size, unit):
    return {byte // unit for address in part for byte in range(address, address + size)}


def segments(part, size):
    """1.2, 1.3: sizes of the transactions of a half-warp, as the vendor's guide takes them."""
    left, sizes = list(part), []
    while left:
        length = min(128, 32 * size)
        start = left[0] // length * length
        inside = [address for address in left if start <= address < start + length]
        left = [address for address in left if address not in inside]
        while length > 32 and len({address // (length // 2) for address in inside}) == 1:
            length //= 2
            start = inside[0] // length * length
        sizes.append(length)
    return sizes


def global_rule(cc, size, addresses):
    """Transactions and bytes."""
    if cc < 12:
        in_order = all(a - addresses[0] == i * size for i, a in enumerate(addresses)) and addresses[0] % (16 * size) == 0
        per_half = max(1, 16 * size // 128)
        return (2 * per_half, 32 * size) if in_order else (32, 32 * 32)
    if cc < 20:
        sizes = [length for part in parts(addresses, 16) for length in segments(part, size)]
        return len(sizes), sum(sizes)
    together = parts(addresses, 128 // size) if cc < 50 else [addresses]
    sectors = sum(len(touched(part, size, 32)) for part in together)
    if cc < 30:
        return sum(len(touched(part, size, 128)) for part in together), 32 * sectors
    return sectors, 32 * sectors


def bank_rule(cc, size, addresses):
    """Wavefronts of an access whose lanes have words of their own."""
    banks, words_wide = (16, 1) if cc < 20 else (32, 2) if 30 <= cc < 50 else (32, 1)
    lanes = 16 if cc < 20 else min(32, 4 * words_wide * banks // size)
    passes = 0
    for part in parts(addresses, lanes):
        rows = {}
        for word in touched(part, size, 4):
            rows.setdefault(word % banks, set()).add(word // (words_wide * banks))
        passes += max(len(of_bank) for of_bank in rows.values())
    return passes


def by_the_rules():
    """Boards whose answers are those of the rules above, and how many were asked."""
    apart, answers = [], 0
    for gpu, cc in boards():
        for size in SIZES:
            moved = access(gpu, "global", size, "--stride", "1:64")
            taken = access(gpu, "shared", size, "--stride", "1:64")
            for stride, one, other in zip(STRIDES, moved, taken):
                addresses = [lane * stride * size for lane in range(32)]
                wanted = (*global_rule(cc, size, addresses), bank_rule(cc, size, addresses))
                answers += 2
                if (one["transactions"], one["moved_bytes"], other["wavefronts"]) != wanted:
                    apart.append(f"{gpu} {size} x {stride}")
    return apart, answers


# ---------------------------------------------------------------------------------- executed kernels

def strided_case(sm, gpu, space, size, stride):
    span = (31 * stride + 1) * size
    buffers, shared = ([span, span], 0) if space == "global" else ([32 * size], span)
    return {"id": f"sm_{sm} {space} {size} x {stride}", "input": str(LISTINGS / f"strided_{space}.sm_{sm}.sass"),
            "kernel": f"strided_{space}_{size}", "gpu": gpu, "grid": [1], "block": [32], "dynamic_shared": shared,
            "args": [{"buffer": size} for size in buffers] + [{"i32": stride}, {"i32": 0}]}


def as_executed(families):
    """Compiled kernels whose profile says other than the rules, and how many ran: totals of every stride, each instruction
    of some."""
    apart, launches = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for sm, gpu in families.items():
            keys = [(space, size, stride) for space in ("global", "shared") for size in SIZES for stride in STRIDES]
            file = Path(folder) / "cases.jsonl"
            file.write_text("".join(json.dumps(strided_case(sm, gpu, *key)) + "\n" for key in keys))
            done = run(TOOL, "profile", "--cases", file, "--format", "jsonl", "-q", check=False)
            rules = {(space, size): access(gpu, space, size, "--stride", "1:64")
                     for space in ("global", "shared") for size in SIZES}
            for (space, size, stride), line in zip(keys, done.stdout.splitlines(), strict=True):
                result, rule = json.loads(line), rules[space, size][stride - 1]
                launches += 1
                profile = result.get("profile")
                figures = profile and ((profile["global_load_requests"], profile["global_load_sectors"],
                                        profile["global_store_sectors"]) if space == "global"
                                       else (profile["shared_wavefronts"],))
                wanted = (1, rule["sectors"], rule["sectors"]) if space == "global" else (2 * rule["wavefronts"],)
                if figures != wanted:
                    apart.append(result["id"] + (f" ({result['error']})" if result.get("error") else ""))
            for space, size, stride in (("global", 4, 3), ("global", 8, 33), ("global", 16, 2), ("shared", 8, 6)):
                apart += by_instruction(sm, gpu, space, size, stride, rules[space, size][stride - 1])
    return apart, launches


def by_instruction(sm, gpu, space, size, stride, rule):
    case = strided_case(sm, gpu, space, size, stride)
    options = [part for i, value in enumerate(case["args"]) for part in
               ("--arg", f"{i}=buffer:{value['buffer']}" if "buffer" in value else f"{i}={value['i32']}")]
    result = json.loads(forewarp("profile", case["input"], "--kernel", case["kernel"], "--gpu", gpu, "--grid", 1, "--block",
                                 32, "--smem", case["dynamic_shared"], *options, "--format", "json").stdout)
    found = [one for one in result["execution"]["accesses"] if one["space"] == space]
    keys = ("lanes", "wavefronts") if space == "shared" else ("lanes", "sectors", "lines", "transactions", "wavefronts")
    fits = len(found) == 2 and all(one[key] == rule[key] for one in found for key in keys)
    return [] if fits else [case["id"] + " by instruction"]


def strides(families):
    apart, answers = by_the_rules()
    differing, launches = as_executed(families)
    figure = f"{answers} answers for {len(boards())} boards as by the rules, {launches} executed launches of {len(families)} " \
             f"families as answered"
    for what in (apart, differing):
        if what:
            figure += f"; apart: {len(what)}: {', '.join(what[:3])}"
    return not apart and not differing, figure


# ---------------------------------------------------------------------------------- conflict degree, counted wavefronts

def degree():
    told = {}
    for gpu, cc in boards():
        rows = access(gpu, "shared", 4, "--stride", "1:64")
        kind = "16 banks" if cc < 20 else "banks of two words" if 30 <= cc < 50 else "32 banks"
        # Banks of two words serve words i and i + 32 of 64 at once: half the degree where the stride is a power of two.
        wanted = lambda stride: gcd(stride, 16) if cc < 20 else \
            stride // 2 if kind == "banks of two words" and stride in (2, 4, 8, 16, 32) else gcd(stride, 32)
        told.setdefault(kind, []).append(sum(row["conflict_degree"] == wanted(row["stride"]) for row in rows))
    figure = {kind: f"{sum(fits)} of {len(fits) * len(STRIDES)} on {len(fits)} boards" for kind, fits in told.items()}
    holds = all(fits == len(STRIDES) for kind in told for fits in told[kind])
    return holds, f"32 banks: {figure['32 banks']}; 16 banks (1.x) by gcd(stride, 16): {figure['16 banks']}; banks of two " \
                  f"words (3.x), half of it for strides 2, 4 .. 32: {figure['banks of two words']}"


MEASURED_ON = {"A100": "a100-sxm-40", "A40": "a40", "H200-SXM5-141GB": "h200-sxm"}
PITCH = 66  # the block rows do not state it: they follow from a pitch of 2 or 30 modulo 32


def measured():
    with open(ROOT / "validation" / "rrze" / "l1_wavefronts.csv", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    told = {}
    for row in rows:
        gpu, size, number = MEASURED_ON[row["gpu"]], {"float": 4, "double": 8}[row["type"]], int(row["stride_or_width"])
        places = [lane * number if row["pattern"] == "stride" else lane % number + lane // number * PITCH + PITCH
                  for lane in range(32)]
        answer = access(gpu, "global", size, "--addresses", ",".join(str(size * place) for place in places))
        counted = float(row["wavefronts_per_load"])
        fits = answer["wavefronts"] == counted
        if row["pattern"] == "stride" and size == 4 and number >= 1:
            fits = fits and counted == gcd(number, 32)
        told.setdefault((row["type"], row["pattern"]), []).append(fits)
    figure = ", ".join(f"{kind} {pattern} {sum(fits)} of {len(fits)}" for (kind, pattern), fits in sorted(told.items()))
    return all(told["float", "stride"]), figure + f" (blocks: with a pitch of {PITCH})"
