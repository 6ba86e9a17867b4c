# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Formulas of the literature once more, from numbers alone: one access of L cycles and a additions of l cycles, dependent, n warps
per SM; c cycles of the SM per instruction, b per access at the bandwidth reached, p on paper, u instructions issued per cycle.
Each gives cycles of the SM per warp and group."""
from math import inf


def bisect(f, high):
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if f(middle) > 0 else (middle, high)
    return low


def formulas(a, n, L, l, c, b, p, u, fit, rate, sms):
    """`fit`: a, b, c of the contention; `rate`: GB/s at one group per cycle and SM."""
    A, B, C = fit
    limit = 1 / max(b, (a + 1) / u, a * c)
    x = bisect(lambda x: x * (A + B * x * rate / (C - x * rate) + a * l) - n, min(limit, C / rate * (1 - 1e-12)))
    each = max(l / n, c)
    mwp, cwp = min(n, L / p), min(n, L / (c * (a + 1)) + 1)
    busy = c * (a + 1)
    if mwp == n and cwp == n:
        round_ = L + busy
    elif cwp >= mwp:
        round_ = L * n / mwp
    else:
        round_ = busy * n
    sim_mwp, sim_cwp = min(n, L / b), min(n, 1 + L / ((a + 1) * each))
    comp, mem = (a + 1) * n * each, n * L / min(sim_mwp, max(1, sim_cwp - 1))
    between = a * each + c
    m, one, chance = n / u, a + 1, (a + 1) / (L + a * l)
    lost = lambda k: max(0, min(chance * (k - 1), 1) * (m - 1) - (k - 1))
    s = p / sms
    rho = n * sms / L * s
    delay = min(n * sms / L * s * s / (2 * (1 - rho)), s * n * sms / 2)
    return {
        "volkov-basic": max((L + a * l) / n, 1 / limit),
        "volkov-refined": 1 / x,
        "cuda-guide": busy * max(1, L / (c * a) / n),
        "agarwal": max((busy + L) / n, busy),
        "saavedra-barrera": max((busy + L) / n, busy),
        "mowry": max(L / n, busy),
        "chen-aamodt": one / (u * (1 - (1 - min(1, one / (L + a * l))) ** m)),
        "kothapalli": max(a * l, L) / (l / c),
        "hong-kim": round_ / n,
        "baghsorkhi": a * each + max(c + max(0, b - between), L - (n - 1) * between),
        "zhang-owens": max(a * each, max(L / n, b)),
        "zhang-owens:merge=sum": a * each + max(L / n, b),
        "gpuperf": (max(comp, mem) if sim_cwp > sim_mwp else max(comp, mem + comp / n)) / n,
        "gpumech": (L + a * l) / m / u,
        "gpumech:policy=gto": (L + a * l + lost(L) + a * lost(l)) / m / u,
        "gpumech:bandwidth=on": ((L + a * l) / m + delay) / u,
    }


def others_on_gtx480(a, n):
    """The models whose numbers are their own: Gajger's Table 4.1 and 4.2 for Fermi, the counting report's cycles, Voudouris' Table 7."""
    L, l = 513, 18
    free = max((L + a * l) / n, a, a + 1, 128 * 15 * 1.4 / 161)
    return {
        "volkov:contention=off:path=off:smooth=0:waves=off:turnaround=off:burst=off:block=off": free,
        "gajger": max((685 + 16 * a) / n, 32 * a / 32, (a + 1) / 2, 128 * 15 * 1.4 / 177.4),
        "roofline": max(a, a + 1, 128 * 15 * 1.4 / 161),
        "bsp": 32 * (a * 1 + 500) / 32,  # 32 lanes on 32 cores, lambda 1
        "counting": 32 * 15 * (24 * a + 500) / (n / 48),  # occupancy as a share, weight 1
        "voudouris": (18 * (a - 1) + 6 * 1 + 370) / n,  # the first addition's producer is the load
        "mwp-cwp-probabilistic": formulas(a, n, L, l, 1, 1 / 0.0599, 128 * 15 * 1.4 / 177.4, 1, (501, 41, 170), 128 * 15 * 1.4, 15)["hong-kim"],
    }


def gtx480(a, n):
    """Volkov 2016, Tables 2.7, 4.1, 6.4, 6.5: GTX 480."""
    per_cycle = 15 * 1.4  # SMs times GHz
    return formulas(a, n, L=513, l=18, c=1, b=1 / 0.0599, p=128 * per_cycle / 177.4, u=1, fit=(501, 41, 170), rate=128 * per_cycle, sms=15)
