#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Requests that a server must refuse, or answer without harm: hostile_requests.py TOOL. Prints one line for each that is not
refused as it should be, and how many were; exits 1 when there are any."""
import base64
import gzip
import json
import socket
import sys
import time
import zlib

from serving import Server, saxpy2, told

SECRET = "/etc/passwd"
LISTING = {"input": {"example": "saxpy2.sass"}, "gpus": ["gtx970"]}


def raw(server, text, wait=20.0):
    """What comes back for bytes as they are: status and body."""
    with socket.create_connection((server.host, server.port), timeout=wait) as line:
        line.sendall(text if isinstance(text, bytes) else text.encode())
        found = b""
        try:
            while part := line.recv(65536):
                found += part
                if len(found) > 1 << 20:
                    break
        except (TimeoutError, ConnectionError):
            pass
    head, _, body = found.partition(b"\r\n\r\n")
    words = head.split()
    return int(words[1]) if len(words) > 1 else 0, body


def drip(server, head, byte, seconds):
    """Sends a byte each half second, and waits for the end of it."""
    with socket.create_connection((server.host, server.port), timeout=40) as line:
        line.sendall(head)
        begun = time.time()
        found = b""
        line.settimeout(0.5)
        while time.time() - begun < seconds:
            try:
                line.sendall(byte)
                part = line.recv(65536)
                found += part
                if not part:
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        return int(found.split()[1]) if found.split() else 0, found, time.time() - begun


def requests(server):
    """Name, function that asks, statuses that are a refusal."""
    own = f"Host: {server.host}:{server.port}\r\n"

    def ask(method, path, body=None, **headers):
        return lambda: server.ask(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})[::2]

    def order(**parts):
        return ask("POST", "/api/v1/predict", {**LISTING, "case": {"grid": [64], "block": [256], "args": {"n": 1, "a": 1}}, **parts})

    def case(**parts):
        return order(case={"grid": [64], "block": [256], "args": {"n": 1, "a": 1}, **parts})

    def source(text, **parts):
        return order(input={"text": text, "name": "k.cu"}, gpus=["rtx3090"], **parts)

    kernel = "__global__ void k(float* x) { x[threadIdx.x] = 1; }\n"
    deep = b"[" * 100000 + b"]" * 100000
    return [
        ("path traversal", lambda: raw(server, f"GET /../../../..{SECRET} HTTP/1.1\r\n{own}\r\n"), (400, 404)),
        ("path traversal, encoded", ask("GET", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd"), (404,)),
        ("path traversal, doubly encoded", ask("GET", "/%252e%252e/%252e%252e/etc/passwd"), (404,)),
        ("path traversal in an example", ask("GET", "/api/v1/examples/..%2f..%2f..%2fetc%2fpasswd"), (404,)),
        ("path traversal in a board", ask("GET", "/api/v1/gpus/..%2f..%2fetc%2fpasswd"), (404,)),
        ("zero byte in a path", ask("GET", "/api/v1/gpus/gtx970%00.toml"), (404,)),
        ("a file as board", order(gpus=["/etc/passwd"]), (400,)),
        ("a board's file", order(gpus=["data/gpus/gtx970.toml"]), (400,)),
        ("contents of a buffer from a file", case(args={"0": {"buffer": 64, "content": "file:/etc/passwd"}}), (400,)),
        ("contents of a constant from a file", case(constants={"c": {"buffer": 64, "content": "file:/etc/passwd"}}), (400,)),
        ("input as a path", order(input="/etc/passwd"), (400,)),
        ("input inside of the case", case(input="/etc/passwd"), (400,)),
        ("link as a path", case(link="/etc/passwd.toml", copies=[{"bytes": 4, "direction": "h2d"}]), (400,)),
        ("calibration file", order(options={"calibration": "/etc/passwd"}), (400,)),
        ("output file", order(options={"output": "/tmp/hostile"}), (400,)),
        ("toolkit of the request's", order(options={"cuda": "/tmp"}), (400,)),
        ("compiler option that reads a file", source(kernel, case={"grid": [1], "block": [32], "compile_options": ["-include", SECRET]}), (400,)),
        ("compiler option that runs a program", source(kernel, case={"grid": [1], "block": [32], "compile_options": ["-ccbin=/tmp/evil"]}), (400,)),
        ("oversized body, stated", lambda: raw(server, f"POST /api/v1/predict HTTP/1.1\r\n{own}Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{{}}"), (413,)),
        ("oversized upload", ask("POST", "/api/v1/inputs", b"x" * (20 << 20)), (413,)),
        ("chunked body without a size", lambda: raw(server, f"POST /api/v1/predict HTTP/1.1\r\n{own}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n"), (400, 411)),
        ("negative size", lambda: raw(server, f"POST /api/v1/predict HTTP/1.1\r\n{own}Content-Type: application/json\r\nContent-Length: -5\r\n\r\n"), (400, 411)),
        ("slow head", lambda: drip(server, f"GET /api/v1/gpus HTTP/1.1\r\n{own}X-Slow: ".encode(), b"a", 25), (400, 408)),
        ("slow body", lambda: drip(server, f"POST /api/v1/predict HTTP/1.1\r\n{own}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n".encode(), b" ", 25), (400, 408)),
        ("bad JSON", ask("POST", "/api/v1/predict", b"{\"input\": ", Content_Type="application/json"), (400,)),
        ("JSON nested 100,000 deep", ask("POST", "/api/v1/predict", deep, Content_Type="application/json"), (400,)),
        ("no object", ask("POST", "/api/v1/predict", [1, 2, 3]), (400,)),
        ("numbers beyond all sizes", case(grid=[1e300], block=[-1]), (400,)),
        ("10,000 boards", order(gpus=["gtx970"] * 10000), (400,)),
        ("another Host", ask("GET", "/api/v1/gpus", Host="evil.example"), (421,)),
        ("no Host", lambda: raw(server, "GET /api/v1/gpus HTTP/1.1\r\n\r\n"), (400, 421)),
        ("another Origin", ask("POST", "/api/v1/predict", saxpy2(), Origin="http://evil.example"), (403,)),
        ("a page of another site", ask("GET", "/api/v1/results", Sec_Fetch_Site="cross-site"), (403,)),
        ("a form of another site", ask("POST", "/api/v1/predict", b"input=1", Content_Type="application/x-www-form-urlencoded"), (415,)),
        ("a method of others", ask("PUT", "/api/v1/gpus/gtx970"), (400, 404, 405)),
        ("head of 100,000 bytes", lambda: raw(server, f"GET / HTTP/1.1\r\n{own}X-Long: {'a' * 100000}\r\n\r\n"), (400, 431)),
        ("no HTTP", lambda: raw(server, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"), (0, 400)),
        ("zip bomb as packed body", ask("POST", "/api/v1/predict", gzip.compress(b" " * (64 << 20)), Content_Type="application/json", Content_Encoding="gzip"), (415,)),
        ("zip bomb as code", ask("POST", "/api/v1/inputs?name=bomb.zip", b"PK\x03\x04" + zlib.compress(b"\0" * (8 << 20))), (400,)),
        ("script in a name", ask("POST", "/api/v1/inputs?name=%3Cscript%3Ealert(1)%3C%2Fscript%3E", b"no code at all \x00\x01\x02"), (400,)),
        ("a source that includes a file of the host", source(f'#include "{SECRET}"\n' + kernel), (400,)),
        ("a source that embeds a file of the host", source(kernel + f'asm(".section .rodata; .incbin \\"{SECRET}\\"");\n__device__ int y;\n#include </proc/1/environ>\n'), (400,)),
        ("a source of endless templates", source("template <int n> struct S { static constexpr int v = S<n + 1>::v + S<n + 2>::v; };\n__global__ void k(int* x) { x[0] = S<0>::v; }\n"), (400,)),
        ("a script that simulates another's files", lambda: simulated(server, 'local f = io.open("/etc/passwd")\nprint(f:read("a"))\n'), (400,)),
        ("a simulation's file with a path", lambda: server.ask("POST", "/api/v1/jobs", {"kind": "simulate", "files": {"../../x": "a", "system.toml": "", "application.lua": ""}})[::2], (400,)),
    ]


def simulated(server, script):
    """A job that must fail and say nothing of the file."""
    job = server.json("POST", "/jobs", {"kind": "simulate", "files": {"system.toml": 'name = "s"\n', "application.lua": script}})
    ended = server.wait(job["id"])
    record = server.ask("GET", f"/api/v1/results/{ended['run']}")[2] if ended["run"] else b""
    failed = ended["state"] == "failed" or (json.loads(record)["records"] and json.loads(record)["records"][0].get("error"))
    return 400 if failed else 200, json.dumps(ended).encode() + record


def refusal_of(body):
    """A refusal is one line that says why: the record's error, or the server's."""
    if isinstance(body, bytes) and body.startswith(b"[{"):
        found = json.loads(body)[0]
        return bool(found.get("error"))
    return False


def main():
    secret = open(SECRET, encoding="utf-8").read().splitlines()[0]
    faults, count, slowest = [], 0, 0.0
    with Server(sys.argv[1]) as server:
        able = server.json("GET", "/version")
        for name, ask, wanted in requests(server):
            if ("source" in name or "compiler" in name) and not able["compiles"]:
                continue
            if "simulat" in name and not able["simulates"]:
                continue
            count += 1
            begun = time.time()
            try:
                status, body = ask()[:2]
            except (OSError, RuntimeError) as fault:
                status, body = -1, str(fault).encode()
            slowest = max(slowest, time.time() - begun)
            refused = status in wanted or (status == 200 and refusal_of(body))
            if not refused:
                faults.append(f"{name}: status {status}, {body[:160]!r}")
            if secret.encode() in body or base64.b64encode(secret.encode()) in body:
                faults.append(f"{name}: the answer holds {SECRET}")
        alive = server.json("POST", "/predict", saxpy2())
        if not alive[0].get("time_ms"):
            faults.append("after all of them: no prediction")
    return told(faults, f"{count - len(faults)} of {count} refused, the slowest after {slowest:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
