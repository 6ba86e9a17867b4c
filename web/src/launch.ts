// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The launch as the form holds it, in the address, and as the API takes it.
import type { Case, Example, Kernel, Order } from "./api";

export interface LaunchForm {
  input: string;   // example:NAME or id:ID
  kernel: string; grid: string; block: string; smem: string;
  args: string;    // NAME=VALUE, one a line
  gpus: string; options: string;
}
export const empty: LaunchForm = { input: "", kernel: "", grid: "", block: "256", smem: "", args: "", gpus: "", options: "" };

export const fromAddress = (values: URLSearchParams): LaunchForm =>
  Object.fromEntries(Object.keys(empty).map((key) => [key, values.get(key) ?? empty[key as keyof LaunchForm]])) as unknown as LaunchForm;

/** A number as the command line takes it: 16M, 64KB (powers of 1024), 1<<20; NaN: it is none. */
export function size(text: string): number {
  const shifted = /^'?(\d+)\s*<<\s*(\d+)'?$/.exec(text.trim());
  if (shifted) return Number(shifted[1]) * 2 ** Number(shifted[2]);
  const suffixed = /^(\d+(?:\.\d+)?)([KMGT])(?:i?B)?$/.exec(text.trim());
  if (suffixed) return Number(suffixed[1]) * 1024 ** (1 + "KMGT".indexOf(suffixed[2]));
  return text.trim() === "" ? NaN : Number(text);
}
const sizes = (text: string): number[] => text.replace(/\s*<<\s*/g, "<<").split(/[\s,x]+/).filter(Boolean).map(size);

function argument(text: string): unknown {
  const buffer = /^buffer:([^:]+)(?::(.+))?$/.exec(text), bytes = buffer ? size(buffer[1]) : NaN;
  if (buffer && Number.isFinite(bytes)) return buffer[2] ? { buffer: bytes, content: buffer[2] } : { buffer: bytes };
  return Number.isFinite(size(text)) ? size(text) : text;
}

/** What the arguments of a kernel may be: those that there are, and one for each other parameter where some belong to another kernel. */
export function argumentsFor(kernel: Kernel, args: string): string {
  const names = kernel.parameters.map((p, i) => p.name || String(i));
  const own = pairs(args).filter(([name]) => names.includes(name) || Number(name) < names.length);
  if (!kernel.parameters.length || (own.length === pairs(args).length && own.length > 0)) return args;
  const missing = kernel.parameters.map((p, i): [string, string] => [names[i], p.pointer ? "buffer:64MB" : "1024"]).filter(([name], i) => !own.some(([had]) => had === name || had === String(i)));
  return [...own, ...missing].map(([name, value]) => `${name}=${value}`).join("\n");
}

function argumentText(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const { buffer, content } = value as { buffer?: number; content?: string };
  return buffer === undefined ? JSON.stringify(value) : `buffer:${buffer}${content ? `:${content}` : ""}`;
}

const pairs = (text: string): [string, string][] =>
  text.split("\n").map((line) => line.trim()).filter(Boolean)
    .map((line) => [line.split("=")[0].trim(), line.slice(line.indexOf("=") + 1).trim()]);

/** "4000000 threads": the same work whatever the block; the server makes the grid. */
const threadsOf = (form: LaunchForm): number | undefined => {
  const found = /^\s*(\S+)\s*threads?\s*$/.exec(form.grid);
  return found ? size(found[1]) : undefined;
};

export function caseOf(form: LaunchForm): Case {
  const launch: Case = { block: sizes(form.block) };
  if (threadsOf(form) === undefined) launch.grid = sizes(form.grid);
  if (form.kernel) launch.kernel = form.kernel;
  if (form.smem) launch.dynamic_shared = size(form.smem);
  const args = Object.fromEntries(pairs(form.args).map(([name, value]) => [name, argument(value)]));
  if (Object.keys(args).length) launch.args = args;
  return launch;
}

/** The two parts of an input: "example" or "id", and which. */
export const partsOf = (input: string): [string, string] => [input.slice(0, input.indexOf(":")), input.slice(input.indexOf(":") + 1)];
export const inputOf = (order: Order): string => Object.entries(order.input)[0].join(":");

export function orderOf(form: LaunchForm, detail: "full" | "lean" = "full"): Order {
  const [kind, name] = partsOf(form.input);
  const threads = threadsOf(form);
  const options = { ...Object.fromEntries(pairs(form.options)), ...(threads === undefined ? {} : { threads }) };
  return { input: { [kind]: name }, gpus: form.gpus.split(",").filter(Boolean), case: caseOf(form), options, detail };
}

export function formOf(example: Example): LaunchForm {
  const launch = (example.launch.case ?? {}) as Record<string, unknown>;
  const args = (launch.args ?? {}) as Record<string, unknown>;
  return {
    ...empty, input: `example:${example.name}`, kernel: String(launch.kernel ?? ""), grid: ((launch.grid ?? []) as number[]).join(", "),
    block: ((launch.block ?? []) as number[]).join(", "), gpus: example.launch.gpu ?? "",
    args: Object.entries(args).map(([name, value]) => `${name}=${argumentText(value)}`).join("\n"),
  };
}
