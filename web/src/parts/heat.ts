// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Which lines of the text in the editor are which of a record: its source, or the listing itself.
import type { Result } from "../api";
import type { Language } from "./editor";

export interface Lines {
  shares: Map<number, number>;         // of the time, by line
  addresses: Map<number, number[]>;    // instructions of a line
  lineOf: Map<number, number>;         // by address
}

const base = (file: string): string => file.slice(file.lastIndexOf("/") + 1);
const addressed = /^\s*\/\*([0-9a-f]{4,})\*\//;

export const languageOf = (text: string): Language => (text.split("\n", 400).some((line) => addressed.test(line) || /^\s*\.version\b/.test(line)) ? "listing" : "cuda");

/** The line of each address in a listing: of the section of this kernel, where the text has several. */
function listed(text: string, kernel: string): Map<number, number> {
  const found = new Map<number, number>();
  let inside = !text.includes("Function : ");
  text.split("\n").forEach((line, i) => {
    const begins = /Function : (\S+)/.exec(line);
    if (begins) inside = begins[1] === kernel || begins[1].includes(kernel.replace(/[<(].*/, ""));
    const at = addressed.exec(line);
    if (inside && at) found.set(parseInt(at[1], 16), i + 1);
  });
  return found;
}

export function linesOf(text: string, result: Result | undefined): Lines {
  const lines: Lines = { shares: new Map(), addresses: new Map(), lineOf: new Map() };
  if (!result?.listing) return lines;
  const places = languageOf(text) === "listing" ? listed(text, result.kernel.name) : undefined;
  for (const l of result.listing) {
    const line = places ? places.get(l.address) : base(l.source_file) === base(result.kernel.input) ? l.source_line : 0;
    if (!line) continue;
    lines.lineOf.set(l.address, line);
    lines.addresses.set(line, [...(lines.addresses.get(line) ?? []), l.address]);
    lines.shares.set(line, (lines.shares.get(line) ?? 0) + l.time_share);
  }
  return lines;
}
