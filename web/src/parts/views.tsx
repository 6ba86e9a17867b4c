// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Views of one result record. They show what it says; what a record lacks is left out.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Order, Result } from "../api";
import { cause, duration, figure, hex, percent } from "../format";
import { Chart } from "./chart";
import { Roofline } from "./roofline";

export function Answer({ result }: { result: Result }) {
  if (result.error) return <section class="answer"><p class="fault" role="alert">{result.error}</p></section>;
  const range = result.interval_ms;
  return (
    <section class="answer" aria-label="Answer">
      <p class="subject">{result.kernel.name} on {result.gpu.name} <span class="faint">({result.kernel.arch}, {result.gpu.sms} SMs, {figure(result.gpu.clock_mhz)} MHz)</span></p>
      <p class="time">{duration(result.time_ms)} {range && <span class="range">{duration(range[0])} to {duration(range[1])}</span>}</p>
      <p>{result.limited_by?.sentence}</p>
      <p class="faint">model {result.model}: {result.chosen_because}{result.interval_meaning ? `. Range: ${result.interval_meaning}` : ""}</p>
      {result.findings?.map((f) => <p class="finding" key={f.text}>{f.text}</p>)}
    </section>
  );
}

/** What an edit changed: the answer before it, in place, where there was one of this kernel on this GPU. */
export function Changed({ now, earlier }: { now: Result; earlier: Result[] }) {
  const said: string[] = [];
  const before = earlier.find((r) => r.gpu.id === now.gpu.id && r.kernel.name === now.kernel.name);
  if (before?.time_ms && now.time_ms) {
    const share = now.time_ms / before.time_ms - 1;
    const times = Math.max(now.time_ms / before.time_ms, before.time_ms / now.time_ms);
    const by = times >= 2 ? `${figure(times)} times ${share < 0 ? "as fast" : "as long"}` : `${percent(Math.abs(share))} ${share < 0 ? "less" : "more"}`;
    said.push(Math.abs(share) < 0.0005 ? "as before" : `was ${duration(before.time_ms)}: ${by}`);
    const number = (label: string, of: (r: Result) => number | undefined) => { if (of(before) !== of(now)) said.push(`${label} ${figure(of(before))} → ${figure(of(now))}`); };
    number("registers", (r) => r.kernel.registers);
    number("instructions", (r) => r.kernel.instructions);
    number("warps per SM", (r) => r.occupancy?.warps_per_sm);
    number("MHz", (r) => r.gpu.clock_mhz);
    const limit = (r: Result) => r.bounds?.find((b) => b.resource === r.limited_by?.resource)?.label ?? cause(r.limited_by?.resource ?? "");
    if (limit(before) !== limit(now)) said.push(`limited by ${limit(before)} → ${limit(now)}`);
  }
  return <p class="changed" role="status">{said.join("; ")}</p>;
}

const Bar = ({ share, strong }: { share: number; strong?: boolean }) => (
  <span class="bar" aria-hidden="true"><span class={strong ? "strong" : ""} style={{ width: `${Math.min(100, 100 * share)}%` }} /></span>
);

export function Bounds({ result }: { result: Result }) {
  if (!result.bounds?.length) return null;
  return (
    <section><h2>Bounds <small>if this were the only limit</small></h2>
      <div class="scroll" tabIndex={0} role="region" aria-label="Bounds"><table><thead><tr><th>resource</th><th class="number">time</th><th class="number">of the time</th><th><span class="hidden">picture</span></th><th>cycles per warp</th></tr></thead>
        <tbody>{result.bounds.map((b, i) => (
          <tr key={b.resource}><td>{b.label}</td><td class="number">{duration(b.time_ms)}</td><td class="number">{percent(b.share)}</td><td class="wide"><Bar share={b.share} strong={i === 0} /></td><td>{b.formula || figure(b.cycles_per_warp)}</td></tr>
        ))}</tbody></table></div>
    </section>
  );
}

export function Occupancy({ result }: { result: Result }) {
  const o = result.occupancy;
  const chart = useMemo(() => o?.curve?.length ? {
    x: { label: "threads per block", values: o.curve.map((p) => p[0]) }, series: [{ label: "warps per SM", values: o.curve.map((p) => p[1]) }],
    mark: Number.isFinite(o.needed_warps) ? { value: o.needed_warps, label: "needed to hide latency" } : undefined,
  } : undefined, [o]);
  if (!o) return null;
  return (
    <section><h2>Occupancy</h2>
      <p>{o.warps_per_sm} of {o.max_warps_per_sm} warps per SM, {o.blocks_per_sm} blocks, limited by {o.limiter.join(", ")}; {figure(o.needed_warps)} hide the latency; {figure(o.waves)} waves</p>
      {chart && <Chart title="Resident warps over the block size" {...chart} />}
    </section>
  );
}

export function Stalls({ result }: { result: Result }) {
  const parts = Object.entries(result.stalls ?? {}).filter(([, share]) => share >= 0.001).sort((a, b) => b[1] - a[1]);
  if (!parts.length) return null;
  return (
    <section><h2>Where a warp's time goes</h2>
      <div class="stack" role="img" aria-label={parts.map(([name, share]) => `${cause(name)} ${percent(share)}`).join(", ")}>
        {parts.map(([name, share], i) => <span key={name} class={`part part-${i % 6}`} style={{ flexGrow: share }} title={`${cause(name)} ${percent(share)}`} />)}
      </div>
      <ul class="legend">{parts.map(([name, share], i) => <li key={name}><span class={`part part-${i % 6}`} />{cause(name)} <b>{percent(share)}</b></li>)}</ul>
    </section>
  );
}

export function Models({ result }: { result: Result }) {
  if (!result.models || result.models.length < 2) return null;
  return (
    <section><h2>Models</h2><div class="scroll" tabIndex={0} role="region" aria-label="Models"><table><thead><tr><th>model</th><th class="number">time</th><th>why</th></tr></thead>
      <tbody>{result.models.map((m) => <tr key={m.name} class={m.applies ? "" : "faint"}><td>{m.name}</td><td class="number">{duration(m.time_ms)}</td><td>{m.why || "applies"}</td></tr>)}</tbody></table></div></section>
  );
}

export function IfFree({ result }: { result: Result }) {
  if (!result.counterfactuals?.length) return null;
  return (
    <section><h2>If something were free</h2><div class="scroll" tabIndex={0} role="region" aria-label="If free"><table><thead><tr><th>free</th><th class="number">time</th><th class="number">ratio</th><th>then limited by</th></tr></thead>
      <tbody>{result.counterfactuals.map((c) => <tr key={c.label}><td>{c.label}</td><td class="number">{duration(c.time_ms)}</td><td class="number">{figure(c.ratio)}</td><td>{c.then}</td></tr>)}</tbody></table></div></section>
  );
}

/** Instructions whose results this one waited for, as the record names them: "R0 from 0x00b8 (350)". */
const sources = (waits: string): string[] => [...waits.matchAll(/0x[0-9a-f]+/g)].map((m) => m[0]);

/** Arrows in the listing's margin, from the instructions that are waited for to the one that waits. */
function Arrows({ table, from, to }: { table: HTMLTableElement | null; from: string[]; to: string }) {
  const [paths, setPaths] = useState<string[]>([]);
  useLayoutEffect(() => {
    const middle = (address: string): number | undefined => {
      const row = table?.querySelector<HTMLElement>(`tr[data-address="${address}"]`);
      return row ? row.offsetTop + row.offsetHeight / 2 : undefined;
    };
    const end = middle(to);
    setPaths(end === undefined ? [] : from.map(middle).filter((y): y is number => y !== undefined).map((y) => `M16 ${y} C2 ${y} 2 ${end} 13 ${end} m-4 -4 l4 4 l-4 4`));
  }, [table, from.join(), to]);
  return <svg class="arrows" height={table?.offsetHeight ?? 0} aria-hidden="true">{paths.map((d) => <path key={d} d={d} />)}</svg>;
}

/** `pointed`: addresses that something else on the page points at; `told` hears of the one under the pointer. */
export function Listing({ result, pointed = [], told }: { result: Result; pointed?: number[]; told?: (address: number | null) => void }) {
  const [over, setHovered] = useState<number | null>(null);
  const setOver = (address: number | null) => { setHovered(address); told?.(address); };
  const [control, setControl] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  const lines = result.listing ?? [];
  const most = useMemo(() => Math.max(...lines.map((l) => l.time_share), 1e-9), [lines]);
  const hovered = lines.find((l) => l.address === over);
  const from = hovered ? sources(hovered.waits_for) : [];
  useEffect(() => {
    const row = pointed.length ? table.current?.querySelector<HTMLElement>(`tr[data-address="${hex(pointed[0])}"]`) : null, pane = table.current?.parentElement;
    if (row && pane && (row.offsetTop < pane.scrollTop || row.offsetTop > pane.scrollTop + pane.clientHeight - 40)) pane.scrollTop = row.offsetTop - pane.clientHeight / 2;
  }, [pointed.join()]);
  if (!lines.length) return null;
  return (
    <section><h2>Listing <small>heat: share of the warps' time; a bar marks the critical path</small></h2>
      {lines.some((l) => l.control) && <label class="check"><input type="checkbox" checked={control} onChange={(e) => setControl(e.currentTarget.checked)} />control words</label>}
      <div class="scroll tall" tabIndex={0} role="region" aria-label="Listing">{hovered && <Arrows table={table.current} from={from} to={hex(hovered.address)} />}<table class="listing" ref={table}><thead><tr><th>address</th><th class="number">time</th><th class="number">runs</th><th class="number">latency</th><th>instruction</th>{control && <th>control word</th>}<th>waits for</th><th>memory</th></tr></thead>
        <tbody>{lines.map((l) => (
          <tr key={l.address} data-address={hex(l.address)} class={`${l.critical ? "critical" : ""} ${from.includes(hex(l.address)) ? "source" : ""} ${l.loop_head ? "head" : ""} ${pointed.includes(l.address) ? "pointed" : ""}`}
            style={{ "--heat": (l.time_share / most).toFixed(3) }} onMouseEnter={() => setOver(l.address)} onMouseLeave={() => setOver(null)}>
            <td class="code">{hex(l.address)}</td><td class="number heat">{l.time_share >= 0.0005 ? percent(l.time_share) : ""}</td><td class="number">{figure(l.executions)}</td><td class="number">{figure(l.latency)}</td>
            <td class="code" style={{ paddingLeft: `${0.5 + l.loop_depth}rem` }}>{l.text}</td>{control && <td class="faint">{l.control}</td>}<td class="faint">{l.waits_for}</td><td class="faint">{l.memory}</td>
          </tr>))}</tbody></table></div>
    </section>
  );
}

export function Source({ result }: { result: Result }) {
  const lines = (result.source ?? []).filter((l) => l.line > 0);
  if (!lines.length) return null;
  const most = Math.max(...lines.map((l) => l.time_share), 1e-9);
  return (
    <section><h2>Source</h2>
      <div class="scroll tall" tabIndex={0} role="region" aria-label="Source"><table class="listing"><thead><tr><th class="number">line</th><th class="number">time</th><th class="number">traffic</th><th>source</th><th>waits for</th></tr></thead>
        <tbody>{lines.map((l) => (
          <tr key={`${l.file}:${l.line}`} style={{ "--heat": (l.time_share / most).toFixed(3) }}><td class="number">{l.line}</td><td class="number heat">{l.time_share >= 0.0005 ? percent(l.time_share) : ""}</td>
            <td class="number">{l.traffic_share >= 0.0005 ? percent(l.traffic_share) : ""}</td><td class="code">{l.text}</td><td class="faint">{l.waits ? cause(l.waits) : ""}</td></tr>))}</tbody></table></div>
    </section>
  );
}

export function Assumptions({ result }: { result: Result }) {
  return (
    <section><h2>What was assumed</h2>
      <details open><summary>{result.assumptions?.length ?? 0} assumptions</summary>
        <ul class="plain">{result.assumptions?.map((a) => <li key={a.id + a.text}>{a.text} {a.change_with && a.change_with !== "-" && <code>{a.change_with}</code>}</li>)}</ul>
      </details>
      <details><summary>{result.provenance?.length ?? 0} hardware numbers with their sources</summary>
        <div class="scroll tall" tabIndex={0} role="region" aria-label="Hardware numbers"><table><thead><tr><th>number</th><th class="number">value</th><th>unit</th><th>confidence</th><th>source</th></tr></thead>
          <tbody>{result.provenance?.map((p) => <tr key={p.path}><td class="code">{p.path}</td><td class="number">{figure(p.value)}</td><td>{p.unit}</td><td>{p.confidence}</td><td>{p.source}</td></tr>)}</tbody></table></div>
      </details>
    </section>
  );
}

/** Everything but the answer and the code. */
export function Why({ result, order }: { result: Result; order?: Order }) {
  return <><Bounds result={result} /><Roofline result={result} order={order} /><Stalls result={result} /><Occupancy result={result} /><IfFree result={result} /><Models result={result} /></>;
}

export function Everything({ result, order }: { result: Result; order?: Order }) {
  if (result.error) return <Answer result={result} />;
  return <><Answer result={result} /><Why result={result} order={order} /><Source result={result} /><Listing result={result} /><Assumptions result={result} /></>;
}
