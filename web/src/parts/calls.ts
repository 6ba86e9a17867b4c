// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What an application's script and a system's file may say, for completion (docs/system.md). The calls are those of
// src/system/script; a test compares the names.
export interface Word { name: string; form: string; help: string }

export const calls: Word[] = [
  { name: "variables", form: "variables{ n = 4 }", help: "variables with their defaults" },
  { name: "process", form: "process(\"LABEL\", function() end)", help: "what the processes of a label do" },
  { name: "compute", form: "compute{ seconds = 1 }", help: "work of the unit" },
  { name: "kernel", form: "kernel{ input = \"k.sass\", grid = {1}, block = {256} }", help: "a predicted kernel, or one of a known time" },
  { name: "copy", form: "copy(\"h2d\", bytes)", help: "a copy between a GPU and its host" },
  { name: "calls", form: "calls(1)", help: "calls that wait for the GPU or print" },
  { name: "delay", form: "delay(seconds)", help: "time that passes" },
  { name: "stream", form: "stream()", help: "a stream of a GPU" },
  { name: "synchronise", form: "synchronise()", help: "waits for a stream, or for all" },
  { name: "record", form: "record(stream)", help: "an event in a stream" },
  { name: "stream_wait", form: "stream_wait(stream, event)", help: "a stream waits for an event or another stream" },
  { name: "graph", form: "graph()", help: "a batch of kernels and copies, launched at once" },
  { name: "launch", form: "launch(graph)", help: "launches a batch" },
  { name: "allocate", form: "allocate(bytes)", help: "memory of the unit or its GPU, until the end" },
  { name: "answer", form: "answer(\"tokens/s\", number)", help: "a figure of the run, with its interval" },
  { name: "now", form: "now()", help: "simulated seconds" },
  { name: "read", form: "read(bytes)", help: "from a disk" },
  { name: "write", form: "write(bytes)", help: "to a disk" },
  { name: "clock", form: "clock(share)", help: "the clock of the unit from now on" },
  { name: "send", form: "send(\"LABEL\", bytes)", help: "a message, waits until it is taken" },
  { name: "isend", form: "isend(\"LABEL\", bytes)", help: "a message, goes on" },
  { name: "wait", form: "wait(message)", help: "for a message that isend began" },
  { name: "notify", form: "notify(\"LABEL\")", help: "a message that takes no time" },
  { name: "receive", form: "receive(\"LABEL\")", help: "waits for a message" },
  { name: "barrier", form: "barrier()", help: "waits for all of the label" },
  { name: "broadcast", form: "broadcast(bytes)", help: "from the first to all" },
  { name: "reduce", form: "reduce(bytes)", help: "from all to the first" },
  { name: "all_reduce", form: "all_reduce(bytes, { way = \"ring\" })", help: "the sum of all, to all" },
  { name: "all_gather", form: "all_gather(bytes)", help: "the parts of all, to all" },
  { name: "reduce_scatter", form: "reduce_scatter(bytes)", help: "a part of the sum, to each" },
  { name: "scatter", form: "scatter(bytes)", help: "parts from the first to each" },
  { name: "gather", form: "gather(bytes)", help: "parts from each to the first" },
  { name: "all_to_all", form: "all_to_all(bytes)", help: "a part from each to each" },
];

export const keys: Word[] = [
  { name: "component", form: "[[component]]", help: "a unit: cpu, gpu, switch, disk" },
  { name: "link", form: "[[link]]", help: "joins two units" },
  { name: "group", form: "[[group]]", help: "components, links and groups of its own, count times" },
  { name: "cluster", form: "[[cluster]]", help: "nodes with GPUs and their network" },
  ...["name", "kind", "hardware", "labels", "model", "count", "ends", "memory", "gbs", "latency_us", "nodes", "gpus", "host", "gpu", "gpu_link", "gpu_fabric",
    "network", "adapters", "leaf_nodes", "uplinks", "torus", "dragonfly", "failures_per_hour", "base_w"].map((name) => ({ name, form: `${name} = `, help: "" })),
];
