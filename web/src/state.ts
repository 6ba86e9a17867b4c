// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a screen shows is in the address, so that a link or a reload shows it again.
import { useEffect, useState } from "preact/hooks";

export interface Place { screen: string; values: URLSearchParams }

export function here(): Place {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { screen: path.includes("=") ? "" : path, values: new URLSearchParams(query) };
}

export function address(screen: string, values: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "")).toString();
  return `#/${screen}${query ? `?${query}` : ""}`;
}

/** Writes the address without a new entry in the browser's history. */
export function keep(screen: string, values: Record<string, string>): void {
  const wanted = address(screen, values);
  if (location.hash !== wanted) history.replaceState(null, "", wanted);
}

export function usePlace(): Place {
  const [place, setPlace] = useState(here());
  useEffect(() => {
    const changed = () => setPlace(here());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return place;
}
