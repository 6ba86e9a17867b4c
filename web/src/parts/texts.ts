// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The texts of the inputs that were last shown: the server does not give back what was uploaded.
const key = "code", kept = 4;
const texts = new Map<string, string>(JSON.parse(sessionStorage.getItem(key) ?? "[]") as [string, string][]);

export const textOf = (input: string): string | undefined => texts.get(input);

export function remember(input: string, text: string): void {
  texts.delete(input);
  texts.set(input, text);
  for (const old of [...texts.keys()].slice(0, -kept)) texts.delete(old);
  try { sessionStorage.setItem(key, JSON.stringify([...texts])); } catch { /* full: the text is not there after a reload */ }
}
