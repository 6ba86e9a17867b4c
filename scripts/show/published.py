# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Tables of validation/volkov2016 beside what the command line says: each function gives a list of
(place, printed, ours) and tells whether ours is within the printed digits."""
import csv
import json

FIT_NAMES = ("a", "b", "c", "b2", "c2")
# Table 6.5 and the finer fit of section 6.4; peaks of Table 6.4.
FITS = {("8800gtx", "plain"): (453, 61, 81), ("gtx280", "plain"): (438, 17, 140), ("gtx480", "plain"): (501, 41, 170),
        ("gtx680", "plain"): (300, 32, 170), ("gtx980", "plain"): (372, 22, 221), ("8800gtx", "finer"): (441, 4, 71, 156, 121)}
PEAK = {"8800gtx": 74, "gtx280": 138, "gtx480": 161, "gtx680": 154, "gtx980": 211}
MIX = {"8800gtx": (444, 20, .0268, .25, None), "gtx280": (434, 24, .0277, .25, None), "gtx480": (513, 18, .0599, 1, 1),
       "gtx680": (301, 9, .1338, 4, 4), "gtx980": (368, 6, .0814, 4, 4)}  # Table 4.1


def rows(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def half_digit(printed):
    """Half a unit of the last printed digit, and what binary numbers lose."""
    digits = len(printed.split(".")[1]) if "." in printed else 0
    return 0.5000001 * 10 ** -digits + 1e-9


def off(compared):
    return [(place, printed, ours) for place, printed, ours in compared
            if ours is None or abs(ours - float(printed)) > half_digit(printed)]


def evaluated(tool, gpus, alphas, warps, models, *more):
    """Points by (gpu, model, alpha, warps) from the JSON of forewarp evaluate."""
    text = tool("evaluate", "--gpu", ",".join(f"{g}@volkov" for g in gpus), "--alpha", ",".join(alphas), "--warps", ",".join(warps),
                "--model", ",".join(models), "--points", "--format", "json", *more)
    points = {}
    for series in json.loads(text)["series"]:
        for point in series["points"]:
            points[series["gpu"].split("@")[0], series["model"], point["alpha"] if point["alpha"] is not None else "inf", point["warps"]] = point
    return points


def alpha_key(text):
    return "inf" if text == "inf" else float(text)


def throughput(tool, folder):
    """B.1: both of Volkov's models."""
    table = rows(folder, "appendix_b1.csv")
    compared = []
    for gpu in PEAK:
        own = [row for row in table if row["gpu"] == gpu]
        points = evaluated(tool, [gpu], sorted({r["alpha"] for r in own}), sorted({r["warps"] for r in own}), ["volkov-basic", "volkov-refined"])
        for row in own:
            for model in ("basic", "refined"):
                if not row[model]:
                    continue
                point = points[gpu, "volkov-" + model, alpha_key(row["alpha"]), float(row["warps"])]
                rate = point["others_per_cycle"] if row["alpha"] == "0" else point["additions_per_cycle"]
                compared.append((f"{gpu} alpha {row['alpha']} n {row['warps']} {model}", row[model], rate))
    return compared


def needed(tool, folder):
    """B.2: warps that reach 100 % and 90 %."""
    table = rows(folder, "appendix_b2.csv")
    text = tool("evaluate", "--gpu", ",".join(f"{g}@volkov" for g in PEAK), "--alpha", ",".join(sorted({r["alpha"] for r in table})),
                "--model", "volkov-basic,volkov-refined", "--format", "json")
    found = {(s["gpu"].split("@")[0], s["model"], n["alpha"]): n for s in json.loads(text)["series"] for n in s["needed"]}
    compared = []
    for row in table:
        basic, refined = (found[row["gpu"], "volkov-" + m, float(row["alpha"])] for m in ("basic", "refined"))
        place = f"{row['gpu']} alpha {row['alpha']}"
        compared += [(place + " basic 100 %", row["basic_100"], basic["warps_100"]), (place + " basic 90 %", row["basic_90"], basic["warps_90"]),
                     (place + " refined 90 %", row["refined_90"], refined["warps_90"])]
    return compared


def needed_of_mixes(tool, folder):
    """B.2: mixes with special functions and shared memory."""
    table = rows(folder, "appendix_b2_mixes.csv")
    compared = []
    for other in ("sfu", "shared"):
        own = [row for row in table if row["other"] == other]
        text = tool("evaluate", "--gpu", ",".join(sorted({r["gpu"] + "@volkov" for r in own})), "--alpha", ",".join(sorted({r["alpha"] for r in own})),
                    "--workload", other, "--model", "volkov-basic", "--format", "json")
        found = {(s["gpu"].split("@")[0], n["alpha"]): n["warps_90"] for s in json.loads(text)["series"] for n in s["needed"]}
        compared += [(f"{r['gpu']} {other} alpha {r['alpha']}", r["basic_90"], found[r["gpu"], float(r["alpha"])]) for r in own]
    return compared


def cusps(calc):
    """B.2: largest needed occupancy over intensities in steps of 0.1: needed warps and where."""
    printed = {"8800gtx": ("16.88", 9.3), "gtx280": ("18.00", 9.0), "gtx480": ("47.64", 15.7), "gtx680": ("75.06", 28.9), "gtx980": ("53.45", 48.1)}
    compared = []
    for gpu, (warps, alpha) in printed.items():
        lat, alu, mem, thru, issue = MIX[gpu]
        values = {"mem_lat": lat, "alu_lat": alu, "mem_thru": mem, "alu_thru": thru}
        if issue:
            values["issue_thru"] = issue
        top = calc("alpha-mix", alpha=alpha, n=1, **values)["needed_warps"]
        beside = max(calc("alpha-mix", alpha=round(alpha + d, 1), n=1, **values)["needed_warps"] for d in (-0.1, 0.1))
        compared += [(f"{gpu} cusp", warps, top), (f"{gpu} cusp is the largest", "1", float(top >= beside))]
    return compared


QUANTITIES = {"additions": "additions_per_cycle", "others": "others_per_cycle", "cycles": "cycles"}
NUMBERS = {"cycles_per_round": "round_cycles", "t_comp": "computation_cycles", "t_mem": "memory_cycles"}


def earlier_models(tool, folder):
    """B.3: models before Volkov's."""
    table = rows(folder, "appendix_b3.csv")
    compared = []
    for gpu, model in sorted({(r["gpu"], r["model"]) for r in table}):
        own = [r for r in table if r["gpu"] == gpu and r["model"] == model]
        points = evaluated(tool, [gpu], sorted({r["alpha"] for r in own}), sorted({r["warps"] for r in own}), [model])
        for row in own:
            point = points[gpu, model, alpha_key(row["alpha"]), float(row["warps"])]
            quantity = row["quantity"]
            if quantity in QUANTITIES:
                ours = point[QUANTITIES[quantity]]
            elif quantity == "t_exec":
                ours = point["cycles"] * float(row["warps"])
            else:
                ours = point["numbers"].get(NUMBERS.get(quantity, quantity))
            compared.append((f"{gpu} {model} alpha {row['alpha']} n {row['warps']} {quantity}", row["value"], ours))
    return compared


def queue(calc, folder):
    """B.3: GPUMech with its bandwidth term on the synthetic GPU of its paper."""
    compared = []
    for row in rows(folder, "appendix_b3_queue.csv"):
        def at(alpha):
            return calc("gpumech", warps=row["warps"], compute=alpha, memory=1, compute_latency=25, memory_latency=300, sms=16,
                        pin_cycles=16 * 128 / 192, bandwidth="on")
        zero, sixteen = at(0), at(16)
        place = f"n {row['warps']}"
        compared += [(place + " rho", row["rho"], zero["rho"]), (place + " delay", row["bandwidth_delay"], zero["bandwidth_delay"]),
                     (place + " CPI", row["cpi_alpha_0"], zero["cpi"]), (place + " CPI alpha 16", row["cpi_alpha_16"], sixteen["cpi"]),
                     (place + " additions", row["additions_alpha_16"], 32 * 16 / sixteen["cycles"])]
    return compared


def latencies(calc, folder):
    """B.4: latency at shares of the peak."""
    compared = []
    for row in rows(folder, "appendix_b4.csv"):
        values = dict(zip(FIT_NAMES, FITS[row["gpu"], row["fit"]]))
        ours = calc("contention", gbs=float(row["share_of_peak"]) * PEAK[row["gpu"]], **values)["latency"]
        compared.append((f"{row['gpu']} {row['fit']} at {row['share_of_peak']}", row["latency"], ours))
    return compared


def worst_quotients(tool):
    """B.5 with whole intensities: Baghsorkhi's and the basic model over the refined one."""
    text = tool("evaluate", "--model", "volkov-basic,baghsorkhi", "--format", "json")
    greatest, baghsorkhi = {}, {}
    for series in json.loads(text)["series"]:
        gpu = series["gpu"].split("@")[0]
        if series["model"] == "volkov-basic":
            greatest[gpu] = max(q["greatest"] for q in series["quotients"])
        elif gpu == "8800gtx":
            baghsorkhi = {q["alpha"]: q for q in series["quotients"]}
    printed = {"8800gtx": "1.3085", "gtx280": "1.1779", "gtx480": "1.2292", "gtx680": "1.2503", "gtx980": "1.2138"}
    compared = [(f"{gpu} basic over refined", value, greatest[gpu]) for gpu, value in printed.items()]
    return compared + [("Baghsorkhi alpha 1 least", "0.1326", baghsorkhi[1]["least"]), ("Baghsorkhi alpha 8 least", "0.3564", baghsorkhi[8]["least"]),
                       ("Baghsorkhi alpha 32 least", "0.9697", baghsorkhi[32]["least"]),
                       ("Baghsorkhi alpha 32 greatest", "1.6793", baghsorkhi[32]["greatest"])]


# Measured points of S5.2 (V2 and V5 to V9): how many warps an SM needs, beside the simulated SM. Two blocks share an SM by its shared
# memory, so that a block of 16 n threads leaves n warps on it, as in his runs.
KERNELS = {"permutation": "permutation.sass", "abs": "vector_abs.sass", "plain": "black_scholes.sass", "fast": "black_scholes_fast.sass"}
HALF_OF_SHARED = {"8800gtx": 7168, "gtx280": 7168, "gtx480": 24576, "gtx680": 24576, "gtx980": 49152}  # bytes: two blocks fit, three do not
MOST_WARPS = {"8800gtx": 24, "gtx280": 32, "gtx480": 48, "gtx680": 64, "gtx980": 64}
ELEMENTS = 1 << 22  # of an array: more than any L2 holds
THREADS = 1 << 19  # that a launch has
SATURATED = 0.9  # of the rate with all warps, as his tables have it
BYTES = {"identity": 12, "random": 12, "positive": 4, "negative": 8, "plain": 20, "fast": 20}  # of a thread


def measured_arguments(what):
    """The kernel and its arguments; every array is one of floats, but for the indices of a permutation."""
    size = 4 * ELEMENTS
    unknown = {"buffer": size}
    if what in ("identity", "random"):
        content = "iota" if what == "identity" else f"random:1:0:{ELEMENTS}"
        return "permutation", [unknown, unknown, {"buffer": size, "type": "i32", "content": content}]
    if what in ("positive", "negative"):
        return "abs", [{"buffer": size, "type": "f32", "content": f"fill:{1 if what == 'positive' else -1}"}]
    numbers = [{"buffer": size, "type": "f32", "content": f"random:{seed}"} for seed in ("1:5:30", "2:1:100", "3:0.25:10")]
    return what, [unknown, unknown, *numbers, 0.02, 0.3, ELEMENTS]


def occupancy_case(listings, gpu, what, warps):
    kernel, arguments = measured_arguments(what)
    threads = 16 * warps
    return {"id": f"{gpu} {what} {warps}", "input": str(listings / KERNELS[kernel]), "gpu": gpu + "@volkov", "grid": [THREADS // threads, 1, 1],
            "block": [threads, 1, 1], "dynamic_shared": HALF_OF_SHARED[gpu], "args": arguments}


def simulated_curves(predict_many, listings, wanted):
    """GB/s by (gpu, what) and warps of an SM: each (gpu, what) of `wanted` at up to nine occupancies."""
    cases = []
    for gpu, what in wanted:
        most = MOST_WARPS[gpu]
        cases += [occupancy_case(listings, gpu, what, n) for n in (2, 4, 8, 12, 16, 24, 32, 48, 64) if n <= most]
    curves = {pair: {} for pair in wanted}
    for result in predict_many(cases, "--model", "sim", "--assume-isa"):
        gpu, what, warps = result["id"].split()
        if result.get("error"):
            raise RuntimeError(f"{result['id']}: {result['error']}")
        threads = result["launch"]["grid"][0] * result["launch"]["block"][0]
        curves[gpu, what][int(warps)] = BYTES[what] * threads / result["time_ms"] * 1e-6
    return curves


def first_at(curve, gbs):
    """The fewest warps with that rate, between two occupancies by the line through them; none: not reached."""
    before = None
    for warps in sorted(curve):
        if curve[warps] >= gbs:
            return warps if before is None else before + (warps - before) * (gbs - curve[before]) / (curve[warps] - curve[before])
        before = warps
    return None


def saturation(gpu, curve):
    """Share of an SM's warps from which on a rate hardly grows."""
    needed = first_at(curve, SATURATED * max(curve.values()))
    return needed / MOST_WARPS[gpu]


MEASURED_PAIRS = ([(gpu, what) for gpu in PEAK for what in ("identity", "random")] +
                  [(gpu, what) for gpu in ("8800gtx", "gtx280", "gtx480", "gtx680") for what in ("positive", "negative")] +
                  [(gpu, what) for gpu in PEAK for what in ("plain", "fast")])


def measured_points(predict_many, listings):
    """Rows (point, board, what, measured, simulated, same): what Volkov measured, what the simulated SM gives, and whether it says the same."""
    curves = simulated_curves(predict_many, listings, MEASURED_PAIRS)
    percent = lambda share: f"{100 * share:.0f} %"
    rows_ = []
    for gpu in PEAK:
        identity, random = (saturation(gpu, curves[gpu, what]) for what in ("identity", "random"))
        rows_.append(("V2", gpu, "occupancy that the identity needs", "over 50 to 100 %", percent(identity), identity > 0.5))
        rows_.append(("V2", gpu, "occupancy that random indices need", "6 to 15 %", percent(random), random <= 0.5 * identity))
    for gpu in ("8800gtx", "gtx280", "gtx480", "gtx680"):
        positive = curves[gpu, "positive"]
        reached = SATURATED * max(positive.values())
        both = [first_at(curves[gpu, what], reached) for what in ("positive", "negative")]
        half = both[1] is not None and both[1] <= 0.75 * both[0]
        rows_.append(("V5", gpu, "occupancy for the rate that reading alone reaches: reading, reading and writing", "100 % or similar, 47 to 63 %",
                      ", ".join("not reached" if n is None else percent(n / MOST_WARPS[gpu]) for n in both), half))
    plain, fast = (first_at(curves["gtx980", what], 190) for what in ("plain", "fast"))
    rows_.append(("V6", "gtx980", "warps for 190 GB/s without and with fast math", "44 or 48, 18",
                  ", ".join("not reached" if n is None else f"{n:.0f}" for n in (plain, fast)), fast is not None and (plain is None or fast < 0.75 * plain)))
    kepler = [saturation("gtx680", curves["gtx680", what]) for what in ("plain", "fast")]
    rows_.append(("V7", "gtx680", "occupancy for the peak without and with fast math", "no saturation at 100 %, 50 %",
                  ", ".join(percent(share) for share in kepler), kepler[0] > 0.85 and kepler[1] < 0.75))
    share = {gpu: [max(curves[gpu, what].values()) / PEAK[gpu] for what in ("plain", "fast")] for gpu in PEAK}
    rows_.append(("V8", "gtx480", "share of the peak bandwidth without and with fast math", "not bound by memory without",
                  ", ".join(percent(one) for one in share["gtx480"]), share["gtx480"][0] < 0.85))
    for gpu in ("8800gtx", "gtx280"):
        times = [max(curves[gpu, what].values()) for what in ("plain", "fast")]
        rows_.append(("V9", gpu, "GB/s without and with fast math", "the option does not matter", f"{times[0]:.1f}, {times[1]:.1f}",
                      abs(times[1] / times[0] - 1) < 0.1))
    return rows_
