# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""A server of the workbench for scripts and tests, and a plain way to ask it."""
import http.client
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path


class Server:
    """forewarp-serve on a free port with a store of its own; `with` ends it."""

    def __init__(self, tool, *words, store=None, environment=None):
        self.folder = None if store else tempfile.TemporaryDirectory()
        self.store = Path(store) if store else Path(self.folder.name) / "serve.db"
        self.process = subprocess.Popen([str(Path(tool).with_name("forewarp-serve")), "serve", "--port", "0", "--store", str(self.store), *words],
                                        stdout=subprocess.PIPE, text=True, env=environment)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise RuntimeError("forewarp-serve did not start")
        self.token = self.address.partition("#token=")[2]
        self.host, port = self.address.partition("//")[2].partition("/")[0].rsplit(":", 1)
        self.port = int(port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            os.kill(self.process.pid, number)
        self.process.wait(timeout=30)
        self.process.stdout.close()
        if self.folder and number == signal.SIGTERM:
            self.folder.cleanup()

    def ask(self, method, path, body=None, headers=None, timeout=60):
        """Status, headers and body; a body that is no bytes goes as JSON."""
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            own["Content-Type"] = "application/json"
        elif body is not None:
            own["Content-Type"] = "application/octet-stream"
        own.update(headers or {})
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request(method, path, body, own)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, **options):
        status, _, text = self.ask(method, "/api/v1" + path, body, **options)
        found = json.loads(text)
        if status >= 400:
            raise RuntimeError(f"{status} {found.get('error')}")
        return found

    def wait(self, job, seconds=60):
        until = time.time() + seconds
        while time.time() < until:
            seen = self.json("GET", f"/jobs/{job}")
            if seen["state"] in ("done", "failed", "cancelled"):
                return seen
            time.sleep(0.05)
        raise RuntimeError(f"job {job} has not ended after {seconds} s")

    def resident_mb(self):
        """Of the server and all that it started."""
        def pages(process):
            try:
                own = int(Path(f"/proc/{process}/statm").read_text().split()[1])
                children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
                tasks = os.listdir(f"/proc/{process}/task")
            except OSError:
                return 0
            for task in tasks:
                if task != str(process):
                    try:
                        children += Path(f"/proc/{process}/task/{task}/children").read_text().split()
                    except OSError:
                        pass
            return own + sum(pages(int(child)) for child in set(children))
        return pages(self.process.pid) * os.sysconf("SC_PAGE_SIZE") / 1e6


def told(faults, line):
    """Prints what went wrong and the line that counts it; the exit code."""
    print("\n".join(faults))
    print(line)
    return 1 if faults else 0


def saxpy2(grid=4096, a=16, options=None):
    """The order of one prediction of the bundled listing."""
    return {"input": {"example": "saxpy2.sass"}, "gpus": ["gtx970"], "detail": "lean",
            "case": {"grid": [grid], "block": [256], "args": {"n": grid * 256, "a": a}},
            "options": options or {"fast": True, "budget": 0.02}}
