# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The library as others use it: installed, packaged, documented, fast from a warm session, safe with threads, and the same answers as
the command line by every other way of asking. Called by scripts/show/chain; by itself: python3 scripts/show/library.py [WORD..]"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import serving
from showing import BUILD, ROOT, TOOL, Showing, Skip, forewarp, run

WORK = BUILD / "library-test"  # where tests/library/example.cmake installs and builds
LEAST_RATE = 5000  # points/s
LAUNCHES = 100
# Kernels with GPUs that run their code, and their arguments but buffers.
KERNELS = [("examples/saxpy2.sass", "saxpy2", ["gtx960", "gtx970", "gtx980", "m60", "titanx"],
            lambda draw: {"n": draw.randrange(1, 1 << 22), "a": draw.randrange(0, 200)}),
           ("validation/kernels/elementwise.sass", "elementwise_one", ["titanv", "v100-sxm2-16", "gv100"],
            lambda draw: {"3": draw.randrange(1, 1 << 20)})]


def example(build=BUILD):
    run("cmake", f"-DBUILD={build}", f"-DSOURCE={ROOT}", "-DCXX=c++", "-P", ROOT / "tests" / "library" / "example.cmake")


def installed():
    example()
    lines = len((ROOT / "examples" / "cpp" / "predict.cpp").read_text().splitlines())
    return lines <= 60, f"{lines} lines, built against {WORK / 'prefix'} and run"


def packaged():
    with tempfile.TemporaryDirectory() as folder:
        run("cpack", "-G", "DEB", "-B", folder, "--config", BUILD / "CPackConfig.cmake", cwd=BUILD)
        package = next(Path(folder).glob("*.deb"))
        run("dpkg", "-x", package, Path(folder) / "root")
        run("cmake", "-S", ROOT / "examples" / "cpp", "-B", Path(folder) / "build", f"-DCMAKE_PREFIX_PATH={folder}/root/usr")
        run("cmake", "--build", Path(folder) / "build")
        said = run(Path(folder) / "build" / "predict", ROOT / "examples" / "saxpy2.sass", "gtx970").stdout.splitlines()
        return len(said) > 2, f"{package.name}: {said[0]}"


def rate():
    if not (WORK / "build" / "rate").exists():
        example()
    best = max((run(WORK / "build" / "rate", ROOT / "examples" / "saxpy2.sass", "gtx970").stdout for _ in range(3)),
               key=lambda said: float(re.search(r"warm (\d+)", said).group(1)))
    cold, warm = (re.search(rf"{turn} (\d+) points/s, ([\d.]+)", best).groups() for turn in ("cold", "warm"))
    return int(warm[0]) >= LEAST_RATE and cold[1] == warm[1], f"{warm[0]} points/s warm, {cold[0]} cold, equal sums"


def documentation():
    done = run(sys.executable, "-B", ROOT / "tests" / "library" / "documentation.py", BUILD / "library-documentation", check=False)
    if done.returncode == 77:
        raise Skip("no doxygen")
    return done.returncode == 0, done.stdout.strip().splitlines()[-1]


def threads():
    program = BUILD / "tests" / "unit_api"
    if not program.exists():
        raise Skip("unit_api is not built")
    done = run(program, "--gtest_filter=*Threads*:*Threaded*", check=False)
    return done.returncode == 0, re.search(r"\[  PASSED  \] .*|\[  FAILED  \] .*", done.stdout).group(0)


def launches():
    draw = random.Random(7)
    cases = []
    for number in range(LAUNCHES):
        listing, kernel, gpus, arguments = KERNELS[draw.randrange(len(KERNELS))]
        case = {"id": str(number), "input": str(ROOT / listing), "kernel": kernel, "gpu": draw.choice(gpus),
                "grid": [draw.randrange(1, 4000), draw.choice([1, 1, 2])], "block": [draw.choice([32, 64, 96, 128, 200, 256, 512, 1000])],
                "args": arguments(draw)}
        if draw.random() < 0.3:
            case["clock_mhz"] = draw.choice([700, 1000, 1300])
        cases.append(case)
    return cases


def figures(result):
    return [result["time_ms"], result["interval_ms"], result["limited_by"]["resource"], result["model"]]


def by_command_line(cases):
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(case) + "\n" for case in cases))
        file.flush()
        return [json.loads(line) for line in forewarp("predict", "--cases", file.name, "--format", "jsonl").stdout.splitlines()]


BY_PYTHON = """
import json, sys, forewarp
for line in sys.stdin:
    case = json.loads(line)
    kernel = forewarp.load(case["input"], case["kernel"])
    options = {"clock": case["clock_mhz"]} if "clock_mhz" in case else {}
    result = kernel.predict(gpu=case["gpu"], grid=case["grid"], block=case["block"], args=case["args"], **options)
    print(json.dumps([result.time_ms, list(result.interval_ms), result.limited_by.resource, result.model]))
"""


def by_python(cases):
    if not list((BUILD / "python" / "forewarp").glob("_core*.so")):
        raise Skip("the Python package is not built")
    text = "".join(json.dumps(case) + "\n" for case in cases)
    done = subprocess.run(["/usr/bin/python3", "-c", BY_PYTHON], input=text, capture_output=True, text=True, check=True,
                          env=dict(os.environ, PYTHONPATH=str(BUILD / "python")))
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_server(cases):
    if not TOOL.with_name("forewarp-serve").exists() and not (BUILD / "tools" / "forewarp-serve" / "forewarp-serve").exists():
        raise Skip("forewarp-serve is not built")
    answers = []
    with serving.Server(TOOL) as server:
        for case in cases:
            own = {key: value for key, value in case.items() if key not in ("id", "input", "gpu")}
            body = {"input": {"name": Path(case["input"]).name, "text": Path(case["input"]).read_text()}, "gpus": [case["gpu"]],
                    "case": own, "detail": "lean"}
            status, _, answer = server.ask("POST", "/api/v1/predict", body)
            if status != 200:
                raise RuntimeError(answer.decode()[:200])
            found = json.loads(answer)
            answers.append(found[0] if isinstance(found, list) else found.get("results", [found])[0])
    return answers


def lua(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f'["{key}"] = {lua(one)}' for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "{" + ", ".join(map(lua, value)) + "}"
    return json.dumps(value)


def by_simulation(cases):
    """Durations of the kernels in a timeline, which is written in microseconds; milliseconds by id."""
    times = {}
    for gpu in sorted({case["gpu"] for case in cases}):
        of_gpu = [case for case in cases if case["gpu"] == gpu]
        with tempfile.TemporaryDirectory() as folder:
            system, application, trace = (Path(folder) / name for name in ("s.toml", "a.lua", "t.json"))
            system.write_text('name = "one GPU"\n[[component]]\nname = "host"\nkind = "cpu"\nlabels = { APP = 1 }\n[[component]]\nname = "gpu"\n'
                              f'kind = "gpu"\nhardware = "{gpu}"\n[[link]]\nname = "pcie"\nends = ["host", "gpu"]\nhardware = "pcie-3-x16"\n')
            calls = [f"  sim.kernel({lua({k: v for k, v in case.items() if k not in ('id', 'gpu')} | {'name': 'launch ' + case['id']})})"
                     for case in of_gpu]
            application.write_text('sim.process("APP", function()\n' + "\n".join(calls) + "\nend)\n")
            forewarp("simulate", system, application, "--trace", trace)
            for event in json.loads(trace.read_text())["traceEvents"]:
                named = re.fullmatch(r"launch (\d+)", event.get("name", ""))
                if named and event.get("ph") == "X":
                    times[named.group(1)] = event["dur"] / 1e3
    return times


def equal():
    cases = launches()
    wanted = [figures(result) for result in by_command_line(cases)]
    python = sum(a != b for a, b in zip(wanted, by_python(cases), strict=True))
    server = sum(a != figures(b) for a, b in zip(wanted, by_server(cases), strict=True))
    times = by_simulation(cases)
    off = [abs(times[case["id"]] / one[0] - 1) if case["id"] in times else 1 for case, one in zip(cases, wanted, strict=True)]
    figure = (f"{len(cases)} launches; differ in a digit: Python {python}, server {server}; simulate: {sum(o > 1e-6 for o in off)} off by more "
              f"than 1e-6 of the time, most {max(off):.1e} (its timeline has microseconds)")
    return python == 0 and server == 0 and max(off) <= 1e-6, figure


def demand_all(showing):
    showing.demand("examples/cpp builds and runs against an installed prefix", "60 lines", installed)
    showing.demand("find_package(forewarp) from the package", "cpack DEB, unpacked elsewhere", packaged)
    showing.demand("a sweep of 1,000 points in one process from a warm session", f"at least {LEAST_RATE} points/s", rate)
    showing.demand("public headers' documentation complete", "Doxygen without a warning", documentation)
    showing.demand("one session used by 8 threads gives the digits of one", "equal", threads)
    showing.demand("Python, server and simulate equal the command line on 100 random launches", "every digit", equal)


if __name__ == "__main__":
    ALL = Showing("library")
    demand_all(ALL)
    sys.exit(ALL.finish())
