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
