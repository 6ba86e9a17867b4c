// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The history: runs of the store, also those of earlier processes.
import { useEffect, useState } from "preact/hooks";
import { download, get, type Result, type Run } from "../api";
import { keep, type Place } from "../state";
import { Everything } from "../parts/views";
import { Outcome, type Simulated } from "../parts/outcome";
import { SuiteOutcome, isSuite } from "../parts/suite";
import { duration } from "../format";

const states: Record<string, string> = { unfinished: "unfinished: the server ended before it" };

export function Results({ place }: { place: Place }) {
  const [runs, setRuns] = useState<Run[]>([]);
  const [chosen, setChosen] = useState(place.values.get("run") ?? "");
  const [other, setOther] = useState(place.values.get("with") ?? "");
  const [run, setRun] = useState<Run | null>(null);
  const [second, setSecond] = useState<Run | null>(null);
  const [point, setPoint] = useState(0);
  const [imported, setImported] = useState<Result[]>([]);
  const [fault, setFault] = useState("");
  const say = (e: Error) => setFault(e.message);
  useEffect(() => { get<Run[]>("/results").then(setRuns).catch(say); }, []);
  useEffect(() => {
    keep("results", { run: chosen, with: other });
    setPoint(0);
    if (chosen) get<Run>(`/results/${chosen}`).then((r) => { setRun(r); setImported([]); }).catch(say);
    if (other) get<Run>(`/results/${other}`).then(setSecond).catch(say); else setSecond(null);
  }, [chosen, other]);
  const save = async (format: string) => {
    try {
      const url = URL.createObjectURL(await download(`/results/${chosen}/export?format=${format}`));
      const link = Object.assign(document.createElement("a"), { href: url, download: `forewarp-run-${chosen}.${format}` });
      link.click();
      URL.revokeObjectURL(url);
    } catch (e) { say(e as Error); }
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    try {
      const read = JSON.parse(await file.text());
      setImported(Array.isArray(read) ? read : [read]);
      setRun(null);
    } catch { setFault(`${file.name}: is no result record; expected a file of forewarp predict --format json`); }
  };
  const records = imported.length ? imported : ((run?.records ?? []) as Result[]);
  const simulated = run?.kind === "simulate";
  return (
    <div class="columns">
      <aside><h1>Results</h1>
        <label class="file">Open a shared file<input type="file" accept=".json" onChange={(e) => open(e.currentTarget.files?.[0])} /></label>
        <ul class="boards runs" aria-label="Runs">{runs.map((r) => (
          <li key={r.run}><button class="quiet" aria-pressed={String(r.run) === chosen} onClick={() => setChosen(String(r.run))}>
            {r.title}<small>{r.begun.replace("T", " ").replace("Z", "")}, <span class={`state ${r.state}`}>{r.state}</span></small></button></li>))}</ul>
        {!runs.length && <p class="faint">Nothing is kept yet.</p>}
      </aside>
      <div class="results">
        {fault && <p class="fault" role="alert">{fault}</p>}
        {run && <div class="toolbar"><h2>{run.title}</h2><p class="faint">run {run.run}, {states[run.state] ?? run.state}, {run.kept} of {run.points} kept, version {run.tool_version}</p>
          {!simulated && <>{["json", "csv", "html"].map((f) => <button key={f} class="quiet" onClick={() => save(f)}>Export {f.toUpperCase()}</button>)}
            <label>Compare with<select value={other} onChange={(e) => setOther(e.currentTarget.value)}><option value="">no run</option>{runs.filter((r) => r.kind === run.kind && r.run !== run.run).map((r) => <option key={r.run} value={String(r.run)}>{r.run}: {r.title}</option>)}</select></label></>}
        </div>}
        {second && !simulated && <section><h2>Difference</h2><div class="scroll" tabIndex={0} role="region" aria-label="Difference"><table><thead><tr><th>point</th><th class="number">run {chosen}</th><th class="number">run {other}</th><th>limited by</th></tr></thead>
          <tbody>{records.map((r, i) => { const o = second.records?.[i] as Result | undefined; return <tr key={i}><td>{r.kernel.name} on {r.gpu.id}</td><td class="number">{duration(r.time_ms)}</td><td class="number">{duration(o?.time_ms)}</td><td>{r.limited_by?.resource}{o && o.limited_by?.resource !== r.limited_by?.resource ? `, then ${o.limited_by?.resource}` : ""}</td></tr>; })}</tbody></table></div></section>}
        {records.length > 1 && !simulated && <label>Point<select value={String(point)} onChange={(e) => setPoint(Number(e.currentTarget.value))}>{records.map((r, i) => <option key={i} value={String(i)}>{r.gpu.id}, {r.launch.grid.join(" x ")} blocks of {r.launch.block.join(" x ")}: {r.error ? "refused" : duration(r.time_ms)}</option>)}</select></label>}
        {records[point] && !simulated && <Everything result={records[point]} />}
        {simulated && isSuite(run?.records?.[0]) && <SuiteOutcome suite={run.records[0]} />}
        {simulated && run?.records?.[0] !== undefined && !isSuite(run.records[0]) && <Outcome outcome={run.records[0] as Simulated} />}
        {run && !run.records?.length && <p class="finding">No record was kept of this run: {states[run.state] ?? run.state}.</p>}
      </div>
    </div>
  );
}
