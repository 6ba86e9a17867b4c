// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Many runs of one application: a table, and time against energy with the runs that no other beats.
import { figure } from "../format";
import { Plane } from "./plane";

type Row = Record<string, number | string | null>;
export interface Suite { schema: "forewarp.suite/1"; names: string[]; rows: Row[] }
export const isSuite = (record: unknown): record is Suite => (record as Suite | undefined)?.schema === "forewarp.suite/1";

export function SuiteOutcome({ suite }: { suite: Suite }) {
  const nameOf = (row: Row) => suite.names.map((n) => `${n} ${typeof row[n] === "number" ? figure(row[n]) : row[n]}`).join(", ");
  const good = suite.rows.filter((r) => !r.error);
  const best = good.filter((r) => r.best === "yes");
  const powered = good.some((r) => Number(r.energy_ws) > 0);
  const front = best.map((r): [number, number] => [Number(r.time_ms), Number(r.energy_ws)]).sort((a, b) => a[0] - b[0]);
  return (
    <>
      <section class="answer" aria-label="Answer"><p class="subject">{suite.rows.length} runs</p>
        <p class="time">{best.length} <span class="range">that no other run beats in time, energy and failure chance</span></p>
        {suite.rows.length > good.length && <p class="finding">{suite.rows.length - good.length} were refused; the table says why.</p>}</section>
      {good.length > 0 && !powered && <section><h2>Time</h2><p class="faint">The system's file states no power, so the runs differ in time alone.</p>
        <Plane title="Each run, in the order of the table; large: no other is better" x={{ label: "run" }} y={{ label: "time in ms", unit: "ms" }}
          points={good.map((r, i) => ({ x: i + 1, y: Number(r.time_ms), label: nameOf(r), strong: r.best === "yes" }))} /></section>}
      {powered && <section><h2>Time and energy</h2>
        <Plane title="Each run; large and on the line: no other is better" x={{ label: "time in ms", unit: "ms" }} y={{ label: "energy in Ws", unit: "Ws" }}
          points={good.map((r) => ({ x: Number(r.time_ms), y: Number(r.energy_ws), label: nameOf(r), strong: r.best === "yes" }))}
          lines={front.length > 1 ? [{ label: "Pareto front", points: front, dashed: true }] : []} /></section>}
      <section><h2>Runs</h2><div class="scroll tall" tabIndex={0} role="region" aria-label="Runs of the suite"><table class="suite"><thead><tr>{suite.names.map((n) => <th key={n}>{n}</th>)}<th class="number">time</th><th class="number">energy</th><th class="number">failure chance</th><th>best</th><th>limited by</th></tr></thead>
        <tbody>{suite.rows.map((r, i) => <tr key={i}>{suite.names.map((n) => <td key={n}>{typeof r[n] === "number" ? figure(r[n]) : r[n]}</td>)}
          {r.error ? <td colSpan={5} class="fault">{r.error}</td> : <><td class="number">{figure(r.time_ms as number)} ms</td><td class="number">{figure(r.energy_ws as number)} Ws</td><td class="number">{figure(r.failure_chance as number)}</td><td>{r.best === "yes" ? "yes" : ""}</td><td class="faint">{r.limited_by}</td></>}</tr>)}</tbody></table></div></section>
    </>
  );
}
