// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a simulation gave: its time and energy, what decided, and the timeline.
import { figure } from "../format";

interface Event { name: string; ph: string; cat?: string; tid: number; ts?: number; dur?: number; args?: { name?: string } }
export interface Simulated {
  system: string; application: string; error: string | null; time_s?: number; time_ms?: number; energy_ws?: number; bottleneck?: string;
  processes?: { name: string; unit: string; finish_s: number; energy_ws: number }[];
  critical_path?: { what: string; seconds: number }[]; warnings?: string[]; printed?: string[];
  assumptions?: unknown[]; trace?: { traceEvents: Event[] };
}

function Timeline({ events }: { events: Event[] }) {
  const names = new Map(events.filter((e) => e.ph === "M").map((e) => [e.tid, e.args?.name ?? String(e.tid)]));
  const bars = events.filter((e) => e.ph === "X").slice(0, 5000);
  const end = Math.max(...bars.map((e) => (e.ts ?? 0) + (e.dur ?? 0)), 1);
  return (
    <section><h2>Timeline <small>0 to {figure(end / 1e6)} s</small></h2>
      <div class="gantt" role="img" aria-label={`Timeline of ${names.size} processes`}>
        {[...names].map(([tid, name]) => (
          <div class="lane" key={tid}><span class="lane-name">{name}</span><div class="lane-bars">
            {bars.filter((e) => e.tid === tid && (e.dur ?? 0) > 0).map((e, i) => <span key={i} class={`event ${e.cat}`} title={`${e.name}: ${figure((e.dur ?? 0) / 1000)} ms`} style={{ left: `${(100 * (e.ts ?? 0)) / end}%`, width: `${(100 * (e.dur ?? 0)) / end}%` }}><span>{e.name}</span></span>)}
          </div></div>))}
      </div>
      <ul class="legend"><li><span class="event compute" />computes</li><li><span class="event message" />messages</li></ul>
    </section>
  );
}

export function Outcome({ outcome }: { outcome: Simulated }) {
  if (outcome.error) return <p class="fault" role="alert">{outcome.error}</p>;
  return (
    <>
      <section class="answer" aria-label="Answer"><p class="subject">{outcome.application} on {outcome.system}</p>
        <p class="time">{figure(outcome.time_ms)} ms <span class="range">{figure(outcome.energy_ws)} Ws</span></p><p>{outcome.bottleneck}</p></section>
      {outcome.trace && <Timeline events={outcome.trace.traceEvents} />}
      <section><h2>Processes</h2><div class="scroll" tabIndex={0} role="region" aria-label="Processes"><table><thead><tr><th>process</th><th>on</th><th class="number">ends after</th><th class="number">energy</th></tr></thead>
        <tbody>{outcome.processes?.map((p) => <tr key={p.name}><td>{p.name}</td><td>{p.unit}</td><td class="number">{figure(p.finish_s)} s</td><td class="number">{figure(p.energy_ws)} Ws</td></tr>)}</tbody></table></div></section>
      <section><h2>Critical path</h2><ul class="plain">{outcome.critical_path?.map((c) => <li key={c.what}>{c.what}: {figure(c.seconds)} s</li>)}</ul></section>
      {outcome.warnings?.map((w) => <p class="finding" key={w}>{w}</p>)}
    </>
  );
}
