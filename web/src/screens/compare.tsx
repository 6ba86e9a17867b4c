// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The same launch on several GPUs, under several models, or with several values: a table and a chart.
import { useMemo, useState } from "preact/hooks";
import { post, type Case, type Result } from "../api";
import { caseOf, fromAddress, orderOf, type LaunchForm } from "../launch";
import { keep, type Place } from "../state";
import { LaunchFields } from "../parts/launch_form";
import { Answer } from "../parts/views";
import { duration, figure, percent } from "../format";

interface Row { label: string; result: Result }

export function Compare({ place }: { place: Place }) {
  const [form, setForm] = useState<LaunchForm>(fromAddress(place.values));
  const [blocks, setBlocks] = useState(place.values.get("blocks") ?? "");
  const [models, setModels] = useState(place.values.get("models") ?? "");
  const [rows, setRows] = useState<Row[]>([]);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const save = (next: LaunchForm, b = blocks, m = models) => keep("compare", { ...next, blocks: b, models: m });

  const compare = async () => {
    setBusy(true);
    scrollTo({ top: 0 });
    setFault("");
    try {
      const order = orderOf(form, "lean");
      const sizes = blocks.split(/[\s,]+/).filter(Boolean).map(Number);
      const launch = caseOf(form);
      const cases: Case[] = sizes.length ? sizes.map((size) => ({ ...launch, block: [size, ...(launch.block as number[]).slice(1)] })) : [launch];
      const found: Row[] = [];
      for (const model of models.split(/[\s,]+/).filter(Boolean).concat(models.trim() ? [] : [""])) {
        const options = model ? { ...order.options, model } : order.options;
        const { case: _, ...rest } = order;
        const results = await post<Result[]>("/predict", { ...rest, cases, options });
        for (const result of results) {
          found.push({ result, label: [result.gpu.name || result.gpu.id, sizes.length ? `blocks of ${result.launch.block[0]}` : "", model].filter(Boolean).join(", ") });
        }
      }
      setRows(found);
    } catch (e) { setFault((e as Error).message); }
    setBusy(false);
  };
  const longest = useMemo(() => Math.max(...rows.map((r) => r.result.time_ms ?? 0), 1e-12), [rows]);
  return (
    <div class="columns">
      <aside><h1>Compare</h1>
        <label>Block sizes<input value={blocks} placeholder="64, 128, 256" onInput={(e) => { setBlocks(e.currentTarget.value); save(form, e.currentTarget.value); }} /></label>
        <label>Models<input value={models} placeholder="volkov, gajger" onInput={(e) => { setModels(e.currentTarget.value); save(form, blocks, e.currentTarget.value); }} /></label>
        <LaunchFields form={form} change={(next) => { setForm(next); save(next); }} submit={compare} busy={busy} verb="Compare" />
      </aside>
      <div class="results" aria-live="polite">
        {fault && <p class="fault" role="alert">{fault}</p>}
        {!rows.length && !fault && <p class="faint">Add GPUs, block sizes or models: each combination is a row.</p>}
        {rows.length > 0 && <section><h2>Times</h2>
          <div class="scroll" tabIndex={0} role="region" aria-label="Times"><table class="compare"><thead><tr><th>what</th><th class="number">time</th><th><span class="hidden">picture</span></th><th>limited by</th><th class="number">share</th><th class="number">warps per SM</th></tr></thead>
            <tbody>{rows.map((r) => (
              <tr key={r.label}><td>{r.label}</td>
                {r.result.error ? <td colSpan={5} class="fault">{r.result.error}</td> : <>
                  <td class="number">{duration(r.result.time_ms)}</td>
                  <td class="wide"><span class="bar" aria-hidden="true"><span style={{ width: `${(100 * (r.result.time_ms ?? 0)) / longest}%` }} /></span></td>
                  <td>{r.result.bounds?.find((b) => b.resource === r.result.limited_by?.resource)?.label ?? r.result.limited_by?.resource}</td><td class="number">{percent(r.result.limited_by?.share)}</td><td class="number">{figure(r.result.occupancy?.warps_per_sm)}</td></>}
              </tr>))}</tbody></table></div>
          {rows.map((r) => <details key={r.label}><summary>{r.label}</summary><Answer result={r.result} /></details>)}
        </section>}
      </div>
    </div>
  );
}
