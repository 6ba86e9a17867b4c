// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The API of the server, as tools/forewarp-serve/openapi.json describes it.
export interface Bound { resource: string; label: string; cycles_per_warp: number; time_ms: number; share: number; formula: string }
export interface ListingLine {
  address: number; text: string; class: string; pipe: string; executions: number; lanes: number; memory: string;
  latency: number; issue_cycle: number; critical: boolean; waits_for: string; loop_head: boolean; loop_depth: number;
  source_file: string; source_line: number; time_share: number; control?: string;
}
export interface SourceLine { file: string; line: number; text: string; time_share: number; issue_share: number; traffic_share: number; memory: string; waits: string }
export interface Result {
  id: string; error: string | null;
  kernel: { name: string; mangled: string; input: string; arch: string; registers: number; static_shared: number; instructions: number };
  gpu: { id: string; name: string; cc: string; clock_mhz: number; sms: number; file: string };
  launch: { grid: number[]; block: number[]; dynamic_shared: number; args: Record<string, unknown> };
  time_ms?: number; interval_ms?: [number, number]; interval_meaning?: string; model?: string; chosen_because?: string;
  limited_by?: { resource: string; share: number; sentence: string };
  occupancy?: { blocks_per_sm: number; warps_per_sm: number; max_warps_per_sm: number; limiter: string[]; needed_warps: number; waves: number; latency_hidden: boolean; curve?: [number, number][] };
  latency?: { cycles: number; formula: string };
  bounds?: Bound[]; models?: { name: string; time_ms: number; applies: boolean; why: string; stack?: Record<string, number>; numbers?: Record<string, number> }[];
  stalls?: Record<string, number>; simulation?: { stack?: Record<string, number>; ipc: number };
  counterfactuals?: { label: string; time_ms: number; ratio: number; then: string }[];
  findings?: { kind: string; text: string }[];
  assumptions?: { id: string; text: string; change_with: string }[];
  listing?: ListingLine[]; source?: SourceLine[];
  provenance?: { path: string; value: number; unit: string; source: string; confidence: string }[];
}
export interface Board { id: string; name: string; cc: string }
export interface Launch { gpu?: string; case?: Case }
export interface Example { kind: string; name: string; title: string; launch: Launch }
export interface Input { id: string; name: string; bytes: number; compiled: boolean }
export interface Kernel { name: string; mangled: string; arch: string; instructions: number; registers: number | null; static_shared: number | null; parameters: { name: string; type: string; size: number; pointer: boolean }[] }
export type Case = Record<string, unknown>;
export interface Order { input: Record<string, string>; gpus: string[]; case?: Case; cases?: Case[]; options?: Record<string, unknown>; detail?: "full" | "lean" }
export interface Job { id: string; kind: string; title: string; state: string; done: number; points: number; run: number; error: string | null }
export interface Run { run: number; kind: string; title: string; state: string; begun: string; ended: string | null; points: number; kept: number; failed: number; tool_version: string; records?: unknown[] }
export interface Version { version: string; compiles: boolean; why_not_compile: string; simulates: boolean; why_not_simulate: string }

const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? sessionStorage.getItem("token") ?? "";
if (token) sessionStorage.setItem("token", token);

async function ask(path: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, { ...options, headers });
  } catch (fault) {
    if ((fault as Error).name === "AbortError") throw fault;
    throw new Error("the server does not answer: is it still running?");
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => ({ error: `the server says ${answer.status}` }));
  throw new Error(body.error);
}

export const get = async <T>(path: string): Promise<T> => (await ask(path)).json();
export const post = async <T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> =>
  (await ask(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal })).json();
export const remove = async <T>(path: string): Promise<T> => (await ask(path, { method: "DELETE" })).json();
export const upload = async (name: string, bytes: BlobPart): Promise<Input> =>
  (await ask(`/inputs?name=${encodeURIComponent(name)}`, { method: "POST", body: new Blob([bytes]), headers: { "Content-Type": "application/octet-stream" } })).json();
export const download = async (path: string): Promise<Blob> => (await ask(path)).blob();

/** Follows a job until it has ended; `told` hears of every change. */
export async function follow(id: string, told: (job: Job) => void): Promise<void> {
  const answer = await ask(`/jobs/${id}/events`);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop()!;
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data) told(JSON.parse(data.slice("data: ".length)));
    }
  }
}
