#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
"""Clients that each ask for one prediction per second: serve_load.py TOOL [--clients N] [--seconds S] [--idle N] [--streams N].
Every request has another grid and argument. Prints one JSON object: requests, errors, percentiles in ms, memory in MB."""
import argparse
import asyncio
import json
import random
import time

from serving import Server, saxpy2


# Counts from the analysis, times from formulas: nothing is executed.
CLOSED_FORM = {"fast": True, "static": True}


class Load:
    def __init__(self, server, options):
        self.server, self.options = server, options
        self.times, self.errors, self.number = [], [], 0
        self.ending = 0.0

    async def connection(self):
        return await asyncio.open_connection(self.server.host, self.server.port)

    def head(self, method, path, size):
        return (f"{method} {path} HTTP/1.1\r\nHost: {self.server.host}:{self.server.port}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {size}\r\n\r\n").encode()

    async def ask(self, reader, writer):
        self.number += 1
        order = saxpy2(1000 + self.number, 1 + self.number % 97, CLOSED_FORM)
        body = json.dumps(order).encode()
        begun = time.perf_counter()
        writer.write(self.head("POST", "/api/v1/predict", len(body)) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        size = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
        text = await reader.readexactly(size)
        self.times.append(1e3 * (time.perf_counter() - begun))
        if not head.startswith(b"HTTP/1.1 200") or b'"time_ms"' not in text:
            self.errors.append(text[:200].decode(errors="replace"))

    async def client(self):
        await asyncio.sleep(random.random())
        reader, writer = await self.connection()
        while time.perf_counter() < self.ending:
            due = time.perf_counter() + 1
            try:
                await asyncio.wait_for(self.ask(reader, writer), 30)
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, StopIteration) as fault:
                self.errors.append(type(fault).__name__)
                writer.close()
                reader, writer = await self.connection()
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
        writer.close()

    async def idle(self):
        _, writer = await self.connection()
        await asyncio.sleep(max(0.0, self.ending - time.perf_counter()))
        writer.close()

    async def stream(self, job):
        """Follows a job's events until the end, and again when they end."""
        while time.perf_counter() < self.ending:
            reader, writer = await self.connection()
            writer.write(f"GET /api/v1/jobs/{job}/events HTTP/1.1\r\nHost: {self.server.host}:{self.server.port}\r\n\r\n".encode())
            try:
                await asyncio.wait_for(reader.read(), max(0.1, self.ending - time.perf_counter()))
            except asyncio.TimeoutError:
                pass
            writer.close()
            await asyncio.sleep(0.5)

    async def run(self, job):
        self.ending = time.perf_counter() + self.options.seconds
        await asyncio.gather(*(self.client() for _ in range(self.options.clients)), *(self.idle() for _ in range(self.options.idle)),
                             *(self.stream(job) for _ in range(self.options.streams)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    for name, value in (("clients", 200), ("seconds", 60), ("idle", 100), ("streams", 20)):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args()
    with Server(options.tool) as server:
        for number in range(4):  # workers read the listing once
            server.json("POST", "/predict", saxpy2(grid=10 + number))
        before = server.resident_mb()
        job = server.json("POST", "/jobs", {"kind": "predict", **saxpy2()})["id"]
        load = Load(server, options)
        asyncio.run(load.run(job))
        after = server.resident_mb()
    times = sorted(load.times) or [float("inf")]

    def at(share):
        return round(times[min(len(times) - 1, int(share * len(times)))], 1)
    print(json.dumps({"requests": len(load.times), "errors": len(load.errors), "first_errors": load.errors[:3], "p50": at(0.5), "p90": at(0.9),
                      "p99": at(0.99), "most": round(times[-1], 1), "before_mb": round(before), "after_mb": round(after)}))


if __name__ == "__main__":
    main()
