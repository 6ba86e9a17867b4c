// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { follow, get, post, remove, type Job, type Order, type Result, type Run } from "../api";
import { fromAddress, orderOf, type LaunchForm } from "../launch";
import { keep, type Place } from "../state";
import { LaunchFields } from "../parts/launch_form";
import { Everything } from "../parts/views";
import { duration } from "../format";

export function Kernel({ place }: { place: Place }) {
  const [form, setForm] = useState<LaunchForm>(fromAddress(place.values));
  const [results, setResults] = useState<Result[]>([]);
  const [shown, setShown] = useState(0);
  const [order, setOrder] = useState<Order | undefined>();
  const [job, setJob] = useState<Job | null>(null);
  const [fault, setFault] = useState("");
  const asked = useRef(false);

  const change = (next: LaunchForm) => { setForm(next); keep("kernel", { ...next }); };
  const predict = async () => {
    setFault("");
    scrollTo({ top: 0 });
    try {
      const begun = await post<Job>("/jobs", { kind: "predict", ...orderOf(form) });
      setJob(begun);
      let last = begun;
      await follow(begun.id, (now) => { last = now; setJob(now); });
      if (last.error) throw new Error(last.error);
      const run = await get<Run>(`/results/${last.run}`);
      setShown(0);
      setResults((run.records ?? []) as Result[]);
      setOrder(orderOf(form));
    } catch (e) { setFault((e as Error).message); }
    setJob(null);
  };
  // A link with a whole launch is answered at once.
  useEffect(() => {
    if (asked.current || !place.values.get("input") || !form.gpus) return;
    asked.current = true;
    void predict();
  }, []);
  const result = results[shown];
  return (
    <div class="columns">
      <aside><h1>Kernel</h1><LaunchFields form={form} change={change} submit={predict} busy={job !== null} verb="Predict" /></aside>
      <div class="results" aria-live="polite">
        {job && <p class="progress"><progress value={job.done} max={job.points} aria-label="Progress" /> {job.state}, {job.done} of {job.points} <button class="quiet" onClick={() => remove(`/jobs/${job.id}`)}>Cancel</button></p>}
        {fault && <p class="fault" role="alert">{fault}</p>}
        {!result && !fault && !job && <p class="faint">Choose an example or bring your own code, then predict. The answer comes first, then why.</p>}
        {results.length > 1 && <div class="tabs" role="tablist" aria-label="GPUs">
          {results.map((r, i) => <button key={i} role="tab" aria-selected={i === shown} onClick={() => setShown(i)}>{r.gpu.id} <small>{r.error ? "refused" : duration(r.time_ms)}</small></button>)}
        </div>}
        {result && <Everything result={result} order={order} />}
      </div>
    </div>
  );
}
