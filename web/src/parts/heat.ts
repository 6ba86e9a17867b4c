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
const isPtx = (line: string): boolean => /^\s*\.version\b/.test(line);

export const languageOf = (text: string): Language => (text.split("\n", 400).some((line) => addressed.test(line) || isPtx(line)) ? "listing" : "cuda");

/** PTX is assembled without a table of its lines, so no record has a time of them. */
export const hasNoHeat = (text: string): boolean => text.split("\n", 400).some(isPtx);

/** The line of each address in a listing: of the section of this kernel, where the text has several. */
function listed(text: string, kernel: Result["kernel"]): Map<number, number> {
  const places = new Map<number, number>(), begins = /Function : (\S+)|^\s*\.text\.(\S+):|^\s*\/\/ kernel (\S.*?)\s*$/m;
  let inside = !begins.test(text);
  text.split("\n").forEach((line, i) => {
    const title = begins.exec(line)?.slice(1).find(Boolean), at = addressed.exec(line);
    if (title) inside = title === kernel.mangled || title === kernel.name;
    if (inside && at) places.set(parseInt(at[1], 16), i + 1);
  });
  return places;
}

/** Where a line of a text is after one edit of it; undefined: it was taken out. */
function moved(from: string, to: string): (line: number) => number | undefined {
  if (from === to) return (line) => line;
  const old = from.split("\n"), now = to.split("\n"), least = Math.min(old.length, now.length);
  let head = 0, tail = 0;
  while (head < least && old[head] === now[head]) ++head;
  while (tail < least - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) ++tail;
  return (line) => (line <= head || old.length === now.length ? line : line > old.length - tail ? line + now.length - old.length : undefined);
}

/** `text` is in the editor; `answered`, what the record is of, had the source's lines. */
export function linesOf(text: string, result: Result | undefined, answered: string = text): Lines {
  const lines: Lines = { shares: new Map(), addresses: new Map(), lineOf: new Map() };
  if (!result?.listing) return lines;
  const places = languageOf(text) === "listing" ? listed(text, result.kernel) : undefined, now = moved(answered, text);
  for (const l of result.listing) {
    const line = places ? places.get(l.address) : base(l.source_file) === base(result.kernel.input) && l.source_line ? now(l.source_line) : 0;
    if (!line) continue;
    lines.lineOf.set(l.address, line);
    lines.addresses.set(line, [...(lines.addresses.get(line) ?? []), l.address]);
    lines.shares.set(line, (lines.shares.get(line) ?? 0) + l.time_share);
  }
  return lines;
}
