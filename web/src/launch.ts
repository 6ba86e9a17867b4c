// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The launch as the form holds it, in the address, and as the API takes it.
import type { Case, Example, Order } from "./api";

export interface LaunchForm {
  input: string;   // example:NAME or id:ID
  kernel: string; grid: string; block: string; smem: string;
  args: string;    // NAME=VALUE, one a line
  gpus: string; options: string;
}
export const empty: LaunchForm = { input: "", kernel: "", grid: "", block: "256", smem: "", args: "", gpus: "", options: "" };

export const fromAddress = (values: URLSearchParams): LaunchForm =>
  Object.fromEntries(Object.keys(empty).map((key) => [key, values.get(key) ?? empty[key as keyof LaunchForm]])) as unknown as LaunchForm;

const sizes = (text: string): number[] => text.split(/[\s,x]+/).filter(Boolean).map(Number);

function argument(text: string): unknown {
  const buffer = /^buffer:(\d+)(?::(.+))?$/.exec(text);
  if (buffer) return buffer[2] ? { buffer: Number(buffer[1]), content: buffer[2] } : { buffer: Number(buffer[1]) };
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
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
  const found = /^\s*(\d+)\s*threads?\s*$/.exec(form.grid);
  return found ? Number(found[1]) : undefined;
};

export function caseOf(form: LaunchForm): Case {
  const launch: Case = { block: sizes(form.block) };
  if (threadsOf(form) === undefined) launch.grid = sizes(form.grid);
  if (form.kernel) launch.kernel = form.kernel;
  if (form.smem) launch.dynamic_shared = Number(form.smem);
  const args = Object.fromEntries(pairs(form.args).map(([name, value]) => [name, argument(value)]));
  if (Object.keys(args).length) launch.args = args;
  return launch;
}

export function orderOf(form: LaunchForm, detail: "full" | "lean" = "full"): Order {
  const [kind, name] = [form.input.slice(0, form.input.indexOf(":")), form.input.slice(form.input.indexOf(":") + 1)];
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
