// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them; nothing is computed here but the unit.
const digits = (value: number): string => {
  if (!Number.isFinite(value)) return "-";
  if (value === 0) return "0";
  const text = Number(value.toPrecision(4));
  return Math.abs(text) >= 1e6 || Math.abs(text) < 1e-3 ? text.toExponential() : text.toLocaleString("en", { maximumSignificantDigits: 4 });
};
export const figure = (value: number | null | undefined): string => (value === null || value === undefined ? "-" : digits(value));
export const percent = (share: number | null | undefined): string => (share === null || share === undefined ? "-" : `${(100 * share).toFixed(1)} %`);
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "-";
  if (ms >= 1000) return `${digits(ms / 1000)} s`;
  if (ms >= 1) return `${digits(ms)} ms`;
  if (ms >= 1e-3) return `${digits(ms * 1000)} µs`;
  return `${digits(ms * 1e6)} ns`;
}
export const hex = (address: number): string => `0x${address.toString(16).padStart(4, "0")}`;
const words: Record<string, string> = {
  issued: "issued", dependence: "dependences", memory_dram: "device memory", memory_l2: "L2", memory_l1: "L1", memory_shared: "shared memory",
  barrier: "barriers", launch: "launch", tail: "tail", unresolved: "unresolved", fetch: "instruction fetch", constant: "constants", idle: "no warp",
  bandwidth_pipes: "busy pipes", bandwidth_memory_queue: "memory queue", bandwidth_registers: "register ports", bandwidth_other: "other units",
};
export const cause = (name: string): string => words[name] ?? name.replace(/^bandwidth_/, "busy ").replaceAll("_", " ");
