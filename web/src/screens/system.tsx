// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// An application on a system: draw the system or edit its file, edit the application, start, watch.
import { useEffect, useState } from "preact/hooks";
import { follow, get, post, remove, type Job, type Run } from "../api";
import { Editor, type Fault } from "../parts/editor";
import { Drawing, fileOf, type Drawn } from "../parts/drawing";
import { Outcome, type Simulated } from "../parts/outcome";
import { SuiteOutcome, isSuite, type Suite } from "../parts/suite";
import { keep, type Place } from "../state";

/** NAME=VALUE, one a line. */
const pairs = (text: string): Record<string, string> => Object.fromEntries(text.split("\n").map((v) => v.trim()).filter(Boolean).map((v) => [v.split("=")[0].trim(), v.slice(v.indexOf("=") + 1).trim()]));

/** The place that a message names: application.lua:3: .. */
function placeOf(message: string, file: string): Fault | undefined {
  const at = message.indexOf(`${file}:`);
  const found = at < 0 ? null : /^(\d+):?\s*(.*)$/s.exec(message.slice(at + file.length + 1));
  return found ? { line: Number(found[1]), text: found[2] } : undefined;
}

const start: Drawn = { name: "a host with a GPU", nodes: [{ name: "host", kind: "cpu", hardware: "", x: 24, y: 24 }, { name: "gpu", kind: "gpu", hardware: "gtx970", x: 220, y: 140 }], links: [{ name: "pcie", ends: ["host", "gpu"], hardware: "pcie-3-x16@gajger" }] };

export function System({ place }: { place: Place }) {
  const [drawn, setDrawn] = useState(start);
  const [system, setSystem] = useState(fileOf(start));
  const [application, setApplication] = useState("");
  const [rates, setRates] = useState("");
  const [variables, setVariables] = useState(place.values.get("set") ?? "");
  const [job, setJob] = useState<Job | null>(null);
  const [sweep, setSweep] = useState(place.values.get("sweep") ?? "");
  const [outcome, setOutcome] = useState<Simulated | Suite | null>(null);
  const [fault, setFault] = useState("");
  const [checked, setChecked] = useState("");
  useEffect(() => {
    get<{ text: string }>("/examples/saxpy2.lua").then((e) => setApplication(e.text)).catch((e) => setFault(e.message));
    get<{ text: string }>("/examples/warp_rate.lua").then((e) => setRates(e.text)).catch((e) => setFault(e.message));
  }, []);
  useEffect(() => keep("system", { set: variables, sweep }), [variables, sweep]);
  const files = { "system.toml": system, "application.lua": application, "warp_rate.lua": rates };
  // What is typed is read by the simulator as soon as the hand rests; nothing runs.
  useEffect(() => {
    if (!application || !rates) return;
    const stop = new AbortController();
    const rest = setTimeout(() => {
      post<{ fault: string | null }>("/check", { files }, stop.signal).then((answer) => setChecked(answer.fault ?? "")).catch(() => {});
    }, 600);
    return () => { clearTimeout(rest); stop.abort(); };
  }, [system, application, rates]);
  const draw = (next: Drawn) => { setDrawn(next); setSystem(fileOf(next)); };
  const run = async () => {
    setFault("");
    scrollTo({ top: 0 });
    try {
      const varied = pairs(sweep);
      const many = Object.keys(varied).length > 0;
      const begun = await post<Job>("/jobs", { kind: "simulate", title: `${drawn.name}: ${many ? `suite over ${Object.keys(varied).join(", ")}` : "application"}`, files, set: pairs(variables.replaceAll(",", "\n")), ...(many ? { sweep: varied } : {}) });
      setJob(begun);
      let last = begun;
      await follow(begun.id, (now) => { last = now; setJob(now); });
      if (last.error) throw new Error(last.error);
      const kept = await get<Run>(`/results/${last.run}`);
      if (kept.records?.length) setOutcome(kept.records[0] as Simulated | Suite);
    } catch (e) { setFault((e as Error).message); }
    setJob(null);
  };
  const said = checked || fault;
  return (
    <div class="columns even">
      <div class="results"><h1>System</h1>
        <Drawing drawn={drawn} change={draw} />
        <Editor label="The system's file" language="toml" value={system} change={setSystem} fault={placeOf(said, "system.toml")} height="240px" />
        <Editor label="The application" language="lua" value={application} change={setApplication} fault={placeOf(said, "application.lua")} height="320px" />
        {checked && !placeOf(checked, "system.toml") && !placeOf(checked, "application.lua") && <p class="fault" role="status">{checked}</p>}
        <label>Variables<input value={variables} placeholder="numElements=400000000, computeIntensity=128" spellcheck={false} onInput={(e) => setVariables(e.currentTarget.value)} /></label>
        <label>Suite: one variable a line with its values, each combination is a run<textarea class="code" rows={3} value={sweep} placeholder={"numElements=1e8,2e8,4e8\nsystem.gpu.hardware=gtx970,gtx980"} spellcheck={false} onInput={(e) => setSweep(e.currentTarget.value)} /></label>
        <button class="go" disabled={job !== null} onClick={run}>{job ? "simulating .." : sweep.trim() ? "Simulate the suite" : "Simulate"}</button>
      </div>
      <div class="results" aria-live="polite">
        {job && <p class="progress"><progress aria-label="Progress" /> {job.state} <button class="quiet" onClick={() => remove(`/jobs/${job.id}`)}>Cancel</button></p>}
        {fault && <p class="fault" role="alert">{fault}</p>}
        {!outcome && !fault && <p class="faint">Draw a system, or edit its file; then simulate the application on it.</p>}
        {outcome && (isSuite(outcome) ? <SuiteOutcome suite={outcome} /> : <Outcome outcome={outcome} />)}
      </div>
    </div>
  );
}
