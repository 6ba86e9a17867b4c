// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Boards and every number of them with its source.
import { useEffect, useState } from "preact/hooks";
import { get, post, type Board } from "../api";
import { keep, type Place } from "../state";
import { figure } from "../format";

interface Fact { value?: number | string; values?: number[]; unit?: string; source?: string; confidence?: string; note?: string }
type Facts = { [key: string]: Fact | Facts | string | number };
interface Row { path: string; fact: Fact }

function rowsOf(facts: Facts, path = ""): Row[] {
  return Object.entries(facts).flatMap(([key, value]): Row[] => {
    const here = path ? `${path}.${key}` : key;
    if (Array.isArray(value)) return [];
    if (typeof value !== "object" || value === null) return path ? [] : [{ path: here, fact: { value: value as string } }];
    if ("value" in value || "values" in value) return [{ path: here, fact: value as Fact }];
    return rowsOf(value as Facts, here);
  });
}

export function Hardware({ place }: { place: Place }) {
  const [boards, setBoards] = useState<Board[]>([]);
  const [chosen, setChosen] = useState(place.values.get("gpu") ?? "");
  const [words, setWords] = useState(place.values.get("find") ?? "");
  const [rows, setRows] = useState<Row[]>([]);
  const [edits, setEdits] = useState<Record<string, string>>({});
  const [fault, setFault] = useState("");
  const [fine, setFine] = useState("");
  useEffect(() => { get<Board[]>("/gpus").then(setBoards).catch((e) => setFault(e.message)); }, []);
  useEffect(() => {
    keep("hardware", { gpu: chosen, find: words });
  }, [chosen, words]);
  useEffect(() => {
    if (chosen) get<{ facts: Facts }>(`/gpus/${chosen}`).then(({ facts }) => { setRows(rowsOf(facts)); setEdits({}); setFine(""); setFault(""); }).catch((e) => setFault(e.message));
  }, [chosen]);
  const board = boards.find((b) => b.id === chosen);
  const shown = rows.filter((r) => words.toLowerCase().split(/\s+/).every((w) => `${r.path} ${r.fact.source ?? ""} ${r.fact.confidence ?? ""}`.toLowerCase().includes(w)));
  const changed = Object.entries(edits).filter(([, v]) => v !== "").map(([path, v]) => `${path}=${v}`);
  const edited = async (): Promise<string | undefined> => {
    try {
      const { toml } = await post<{ toml: string }>(`/gpus/${chosen}/edited`, { set: changed });
      setFault("");
      setFine("The numbers fit together: this is a board's file.");
      return toml;
    } catch (e) { setFine(""); setFault((e as Error).message); return undefined; }
  };
  const save = async () => {
    const text = await edited();
    if (text === undefined) return;
    const url = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
    Object.assign(document.createElement("a"), { href: url, download: `${chosen}-edited.toml` }).click();
    URL.revokeObjectURL(url);
  };
  return (
    <div class="columns">
      <aside><h1>Hardware</h1>
        <label>Find in numbers and sources<input value={words} onInput={(e) => setWords(e.currentTarget.value)} placeholder="bandwidth measured" /></label>
        <ul class="boards" aria-label="Boards">{boards.map((b) => <li key={b.id}><button class="quiet" aria-pressed={b.id === chosen} onClick={() => setChosen(b.id)}>{b.name} <small>{b.cc}</small></button></li>)}</ul>
      </aside>
      <div class="results">
        {fault && <p class="fault" role="alert">{fault}</p>}
        {!board && <p class="faint">Choose a board: every number has its unit, source and confidence.</p>}
        {board && <section><h2>{board.name} <small>{board.id}, compute capability {board.cc}</small></h2>
          {changed.length > 0 && <div class="finding"><p>As options of a prediction: <code>{changed.map((s) => `set=hw.${s}`).join("  ")}</code></p>
            <div class="toolbar"><button onClick={edited}>Check the copy</button><button onClick={save}>Export it as a file</button>{fine && <span role="status">{fine}</span>}</div></div>}
          <p class="faint" aria-live="polite">{shown.length} of {rows.length} numbers</p>
          <div class="scroll full" tabIndex={0} role="region" aria-label="Numbers"><table><thead><tr><th>number</th><th class="number">value</th><th>edit</th><th>unit</th><th>confidence</th><th>source</th></tr></thead>
            <tbody>{shown.map((r) => (
              <tr key={r.path}><td class="code">{r.path}</td><td class="number">{typeof r.fact.value === "number" ? figure(r.fact.value) : r.fact.value ?? r.fact.values?.join(", ")}</td>
                <td>{typeof r.fact.value === "number" && <input class="small" aria-label={`Edit ${r.path}`} value={edits[r.path] ?? ""} onInput={(e) => { setFine(""); setEdits({ ...edits, [r.path]: e.currentTarget.value }); }} />}</td>
                <td>{r.fact.unit}</td><td>{r.fact.confidence}</td><td>{r.fact.source}{r.fact.note ? <span class="faint"> {r.fact.note}</span> : null}</td></tr>))}</tbody></table></div>
        </section>}
      </div>
    </div>
  );
}
