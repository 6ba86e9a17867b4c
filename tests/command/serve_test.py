# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""The server of the workbench: serve_test.py TOOL [TEST ..]."""
import json
import re
import signal
import socket
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "show"))
from needs import Need, built, needs, want  # noqa: E402
from serving import Server, saxpy2  # noqa: E402

TOOL = Path(sys.argv.pop(1)).resolve()
SERVER = built("forewarp-serve", TOOL)
OPENAPI = json.loads((ROOT / "tools" / "forewarp-serve" / "openapi.json").read_text())
SYSTEM = 'name = "one"\nbase_w = 0\n\n[[component]]\nname = "host"\nkind = "cpu"\nlabels = { CPU = 1 }\npower = { active_w = 10 }\n'
LISTING = (ROOT / "examples" / "saxpy2.sass").read_bytes()


def resolved(schema):
    while "$ref" in schema:
        schema = OPENAPI["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


KINDS = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list, "null": type(None)}


def faults_of(value, schema, place="body"):
    """Where a value is not as the schema says."""
    schema = resolved(schema)
    if "allOf" in schema:
        return [fault for part in schema["allOf"] for fault in faults_of(value, part, place)]
    kinds = schema.get("type", [])
    kinds = kinds if isinstance(kinds, list) else [kinds]
    if kinds and not any(isinstance(value, KINDS[kind]) and not (kind in ("integer", "number") and isinstance(value, bool)) for kind in kinds):
        return [f"{place} is {type(value).__name__}, not {kinds}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place} is {value!r}")
    if isinstance(value, dict):
        found += [f"{place}.{key} is missing" for key in schema.get("required", []) if key not in value]
        for key, part in schema.get("properties", {}).items():
            if key in value:
                found += faults_of(value[key], part, f"{place}.{key}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            found += faults_of(item, schema["items"], f"{place}[{i}]")
    return found


class Words(unittest.TestCase):
    def test_the_editor_completes_every_call_and_no_other(self):
        table = (ROOT / "web" / "src" / "parts" / "calls.ts").read_text().split("export const keys")[0]
        offered = re.findall(r'\{ name: "(\w+)"', table)
        calls = [name for file in (ROOT / "src" / "system" / "script").glob("*.cpp") for name in re.findall(r'add_call\(state, "(\w+)"', file.read_text())]
        self.assertGreater(len(calls), 20)
        self.assertEqual(sorted(offered), sorted(calls))


@needs(SERVER)
class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(TOOL)

    @classmethod
    def tearDownClass(cls):
        cls.server.end()

    def asked(self, method, route, path=None, body=None, headers=None):
        """Asks, and holds the answer against the OpenAPI file."""
        self.answered.add((method, route))
        status, _, text = self.server.ask(method, "/api/v1" + (path or route), body, headers)
        responses = OPENAPI["paths"]["/api/v1" + route][method.lower()]["responses"]
        told = responses.get(str(status), responses["default"])
        (kind, content), = told["content"].items()
        value = json.loads(text) if kind == "application/json" else text.decode()
        self.assertEqual(faults_of(value, content["schema"]), [], f"{method} {route}: {status}")
        return status, value

    def test_every_answer_is_as_the_openapi_file_says(self):
        self.answered = set()
        for route in ("/version", "/gpus", "/examples", "/jobs", "/results", "/openapi.json"):
            self.assertEqual(self.asked("GET", route)[0], 200 if route != "/results" else self.asked("GET", route)[0])
        self.assertEqual(self.asked("GET", "/gpus/{id}", "/gpus/gtx970")[0], 200)
        self.assertEqual(self.asked("GET", "/gpus/{id}", "/gpus/none")[0], 404)
        self.assertEqual(self.asked("GET", "/examples/{name}", "/examples/saxpy2.sass")[1]["text"].encode(), LISTING)
        status, made = self.asked("POST", "/inputs", "/inputs?name=k.sass", LISTING + b"\n")
        self.assertEqual((status, made["name"], made["compiled"]), (200, "k.sass", False))
        status, kernels = self.asked("GET", "/inputs/{id}/kernels", f"/inputs/{made['id']}/kernels?gpu=gtx970")
        self.assertEqual([p["name"] for p in kernels[0]["parameters"]], ["n", "a", "x", "y"])
        status, records = self.asked("POST", "/predict", body={**saxpy2(), "detail": "full"})
        self.assertEqual((status, records[0]["schema"]), (200, "forewarp.result/1"))
        status, job = self.asked("POST", "/jobs", body={"kind": "predict", **saxpy2()})
        self.assertEqual(status, 202)
        self.assertEqual(self.server.wait(job["id"])["state"], "done")
        self.asked("GET", "/jobs/{id}", f"/jobs/{job['id']}")
        self.asked("DELETE", "/jobs/{id}", f"/jobs/{job['id']}")
        events = self.asked("GET", "/jobs/{id}/events", f"/jobs/{job['id']}/events")[1]
        self.assertIn('"state":"done"', events)
        run = self.asked("GET", "/results/{run}", f"/results/{job['run']}")[1]
        self.assertEqual(len(run["records"]), 1)
        self.assertEqual(self.server.ask("GET", f"/api/v1/results/{job['run']}/export?format=csv")[0], 200)
        self.answered.add(("GET", "/results/{run}/export"))
        edited = self.asked("POST", "/gpus/{id}/edited", "/gpus/gtx970/edited", {"set": ["memory.read_share=0.9"]})
        self.assertEqual(edited[0], 200)
        self.assertIn('confidence = "assumed"', edited[1]["toml"].replace("'", '"'))
        self.assertEqual(self.asked("POST", "/gpus/{id}/edited", "/gpus/gtx970/edited", {"set": ["memory.none=8"]})[0], 400)
        unfit = self.asked("POST", "/gpus/{id}/edited", "/gpus/gtx970/edited", {"set": ["clock.sustained_mhz=x2"]})
        self.assertEqual(unfit[0], 400)
        self.assertTrue(unfit[1]["error"].startswith("gtx970.toml"), unfit[1]["error"])
        self.asked("POST", "/check", body={"files": {}})
        told = {(method.upper(), path.removeprefix("/api/v1")) for path, methods in OPENAPI["paths"].items() for method in methods}
        self.assertEqual(self.answered, told)

    def test_the_record_is_that_of_the_command_line(self):
        import subprocess
        words = [TOOL, "predict", ROOT / "examples" / "saxpy2.sass", "--gpu", "gtx970", "--grid", "4096", "--block", "256", "--arg", "n=1048576",
                 "--arg", "a=16", "--fast", "--budget", "0.02", "--format", "jsonl"]
        line = json.loads(subprocess.run([str(w) for w in words], capture_output=True, text=True, check=True).stdout)
        record = self.server.json("POST", "/predict", saxpy2())[0]
        for key in ("time_ms", "interval_ms", "model", "limited_by", "occupancy", "bounds", "profile"):
            self.assertEqual(record[key], line[key], key)

    def test_a_launch_that_cannot_be_predicted_is_a_record_with_its_error(self):
        order = saxpy2()
        order["case"]["block"] = [2048]
        self.assertIn("1024", self.server.json("POST", "/predict", order)[0]["error"])

    def test_a_job_is_cancelled(self):
        order = saxpy2()
        order["cases"] = [dict(order["case"], grid=[i + 1]) for i in range(2000)]
        del order["case"]
        job = self.server.json("POST", "/jobs", {"kind": "predict", **order})
        self.server.json("DELETE", f"/jobs/{job['id']}")
        self.assertEqual(self.server.wait(job["id"])["state"], "cancelled")

    @needs(built("forewarp-system", TOOL))
    def test_a_system_and_an_application_are_checked_before_they_run(self):
        want(self, Need("sandbox", lambda: self.server.json("GET", "/version")["simulates"]))
        files = {"system.toml": SYSTEM, "application.lua": 'sim.process("CPU", function() sim.delay(1) end)'}
        self.assertIsNone(self.server.json("POST", "/check", {"files": files})["fault"])
        files["application.lua"] = 'sim.process("CPU", function()\n  sim.delay(1\nend)'
        self.assertIn("application.lua:3", self.server.json("POST", "/check", {"files": files})["fault"])
        files["application.lua"] = "sim.process(\"NONE\", function() end)"
        self.assertIn("NONE", self.server.json("POST", "/check", {"files": files})["fault"])

    @needs(built("forewarp-system", TOOL), built("forewarp-study", TOOL))
    def test_a_sweep_is_a_table_of_runs(self):
        want(self, Need("sandbox", lambda: self.server.json("GET", "/version")["simulates"]))
        files = {"system.toml": SYSTEM, "application.lua": 'local v = sim.variables{ s = 1 }\nsim.process("CPU", function() sim.delay(v.s) end)'}
        job = self.server.json("POST", "/jobs", {"kind": "simulate", "files": files, "sweep": {"s": "1,2,3"}})
        self.assertEqual(self.server.wait(job["id"])["state"], "done")
        suite = self.server.json("GET", f"/results/{job['run']}")["records"][0]
        self.assertEqual((suite["schema"], suite["names"]), ("forewarp.suite/1", ["s"]))
        self.assertEqual([(row["s"], row["time_ms"], row["best"]) for row in suite["rows"]], [(1, 1000, "yes"), (2, 2000, "no"), (3, 3000, "no")])
        status, _, text = self.server.ask("POST", "/api/v1/jobs", {"kind": "simulate", "files": files, "sweep": {"s": "/etc/passwd"}})
        self.assertEqual((status, b"/etc/passwd" in text), (400, True))

    def test_every_answer_is_guarded(self):
        for path in ("/", "/api/v1/gpus", "/nowhere"):
            headers = self.server.ask("GET", path)[1]
            self.assertIn("default-src 'none'", headers["Content-Security-Policy"], path)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff", path)

    def test_refusals_name_what_is_expected(self):
        for order, words in (({}, "input"), ({"input": {"example": "none"}}, "/api/v1/examples"),
                             ({"input": {"example": "saxpy2.sass"}}, "gpus"),
                             ({"input": {"example": "saxpy2.sass"}, "gpus": ["gtx970"]}, "case"),
                             ({**saxpy2(), "options": {"cuda": "/tmp"}}, "model")):
            status, _, text = self.server.ask("POST", "/api/v1/predict", order)
            self.assertEqual(status, 400)
            self.assertIn(words, json.loads(text)["error"])


def children(pid):
    """Those of a process; none if it has ended meanwhile."""
    try:
        return [child for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()]
    except OSError:
        return []


def used_ticks(pid):
    """What a process and those in it have used of processors, in ticks of 10 ms."""
    try:
        own = sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
    except OSError:
        return 0
    return own + sum(map(used_ticks, children(pid)))


@needs(SERVER)
class Access(unittest.TestCase):
    def test_listening_needs_a_token(self):
        with Server(TOOL, "--listen", "127.0.0.1") as server:
            self.assertTrue(re.fullmatch("[0-9a-f]{32}", server.token))
            self.assertEqual(server.ask("GET", "/api/v1/gpus")[0], 200)
            for token in ("", "Bearer ", "Bearer " + "0" * 32, "Basic " + server.token):
                self.assertEqual(server.ask("GET", "/api/v1/gpus", headers={"Authorization": token})[0], 401)
            self.assertEqual(server.ask("GET", "/", headers={"Authorization": ""})[0], 200)

    def test_an_answer_that_nobody_waits_for_is_given_up(self):
        with Server(TOOL, "--workers", "1") as server:
            workers = lambda: {pid for pid in children(server.process.pid) if "--worker\0" in Path(f"/proc/{pid}/cmdline").read_text()}
            server.json("POST", "/predict", saxpy2())
            busy = workers()
            self.assertEqual(len(busy), 1)
            used = lambda: sum(map(used_ticks, busy))
            before = used()
            body = json.dumps(saxpy2(grid=4_000_000, a=1_000_000, options={"exact": True})).encode()  # minutes of work
            with socket.create_connection((server.host, server.port)) as left:
                left.sendall(b"POST /api/v1/predict HTTP/1.1\r\nHost: %s:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                             % (server.host.encode(), server.port, len(body)) + body)
                until = time.monotonic() + 15
                while used() < before + 20:  # it is at work, not only asked
                    self.assertLess(time.monotonic(), until)
                    time.sleep(0.01)
                self.assertEqual(workers(), busy)
            until = time.monotonic() + 15  # half of what one prediction may take
            while workers() & busy and time.monotonic() < until:
                time.sleep(0.05)
            self.assertEqual(workers() & busy, set())
            self.assertIsNone(server.json("POST", "/predict", saxpy2())[0]["error"])

    def test_runs_of_a_killed_server_are_marked(self):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "serve.db"
            first = Server(TOOL, store=store)
            order = saxpy2()
            order["cases"] = [dict(order["case"], grid=[i + 1]) for i in range(3000)]
            del order["case"]
            job = first.json("POST", "/jobs", {"kind": "predict", **order})
            while first.json("GET", f"/jobs/{job['id']}")["done"] < 1:
                time.sleep(0.01)
            first.end(signal.SIGKILL)
            with Server(TOOL, store=store) as second:
                run = second.json("GET", f"/results/{job['run']}")
                self.assertEqual(run["state"], "unfinished")
                self.assertGreaterEqual(len(run["records"]), 1)


if __name__ == "__main__":
    unittest.main()
