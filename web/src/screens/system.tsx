// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// An application on a system: draw the system or edit its file, edit the application, start, watch.
import { useEffect, useState } from "preact/hooks";
import { follow, get, post, remove, type Job, type Run } from "../api";
import { Drawing, fileOf, type Drawn } from "../parts/drawing";
import { Outcome, type Simulated } from "../parts/outcome";
import { keep, type Place } from "../state";

const start: Drawn = { name: "a host with a GPU", nodes: [{ name: "host", kind: "cpu", hardware: "", x: 24, y: 24 }, { name: "gpu", kind: "gpu", hardware: "gtx970", x: 220, y: 140 }], links: [{ name: "pcie", ends: ["host", "gpu"], hardware: "pcie-3-x16@gajger" }] };

export function System({ place }: { place: Place }) {
  const [drawn, setDrawn] = useState(start);
  const [system, setSystem] = useState(fileOf(start));
  const [application, setApplication] = useState("");
  const [rates, setRates] = useState("");
  const [variables, setVariables] = useState(place.values.get("set") ?? "");
  const [job, setJob] = useState<Job | null>(null);
  const [outcome, setOutcome] = useState<Simulated | null>(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    get<{ text: string }>("/examples/saxpy2.lua").then((e) => setApplication(e.text)).catch((e) => setFault(e.message));
    get<{ text: string }>("/examples/warp_rate.lua").then((e) => setRates(e.text)).catch((e) => setFault(e.message));
  }, []);
  useEffect(() => keep("system", { set: variables }), [variables]);
  const draw = (next: Drawn) => { setDrawn(next); setSystem(fileOf(next)); };
  const run = async () => {
    setFault("");
    scrollTo({ top: 0 });
    try {
      const set = Object.fromEntries(variables.split(/[\n,]+/).map((v) => v.trim()).filter(Boolean).map((v) => [v.split("=")[0].trim(), v.slice(v.indexOf("=") + 1).trim()]));
      const begun = await post<Job>("/jobs", { kind: "simulate", title: `${drawn.name}: application`, files: { "system.toml": system, "application.lua": application, "warp_rate.lua": rates }, set });
      setJob(begun);
      let last = begun;
      await follow(begun.id, (now) => { last = now; setJob(now); });
      if (last.error) throw new Error(last.error);
      const kept = await get<Run>(`/results/${last.run}`);
      if (kept.records?.length) setOutcome(kept.records[0] as Simulated);
    } catch (e) { setFault((e as Error).message); }
    setJob(null);
  };
  const line = /(\w[\w.]*):(\d+)/.exec(fault);
  return (
    <div class="columns even">
      <div class="results"><h1>System</h1>
        <Drawing drawn={drawn} change={draw} />
        <label>The system's file<textarea class="code" rows={12} value={system} spellcheck={false} onInput={(e) => setSystem(e.currentTarget.value)} /></label>
        <label>The application<textarea class={`code ${line?.[1] === "application.lua" ? "wrong" : ""}`} rows={14} value={application} spellcheck={false} onInput={(e) => setApplication(e.currentTarget.value)} /></label>
        <label>Variables<input value={variables} placeholder="numElements=400000000, computeIntensity=128" spellcheck={false} onInput={(e) => setVariables(e.currentTarget.value)} /></label>
        <button class="go" disabled={job !== null} onClick={run}>{job ? "simulating .." : "Simulate"}</button>
      </div>
      <div class="results" aria-live="polite">
        {job && <p class="progress"><progress aria-label="Progress" /> {job.state} <button class="quiet" onClick={() => remove(`/jobs/${job.id}`)}>Cancel</button></p>}
        {fault && <p class="fault" role="alert">{fault}</p>}
        {!outcome && !fault && <p class="faint">Draw a system, or edit its file; then simulate the application on it.</p>}
        {outcome && <Outcome outcome={outcome} />}
      </div>
    </div>
  );
}
