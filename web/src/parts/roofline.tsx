// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Where a launch lies below the roofs of each level of memory, as the model "roofline" says. A record that has not
// asked that model asks it here.
import { useEffect, useState } from "preact/hooks";
import { post, type Order, type Result } from "../api";
import { figure } from "../format";
import { Plane, type Line, type Point } from "./plane";

type Numbers = Record<string, number>;
const levels = [["dram", "device memory"], ["l2", "L2"], ["l1", "L1"], ["shared", "shared memory"]];

const numbersOf = (result: Result | undefined): Numbers | undefined => result?.models?.find((m) => m.name === "roofline")?.numbers;

/** The roof of a level: rising to the ridge, level behind it. */
const roof = (ridge: number, peak: number, from: number, to: number): [number, number][] =>
  from < ridge ? [[from, (peak * from) / ridge], [Math.min(ridge, to), peak * Math.min(1, to / ridge)], [Math.max(ridge, to), peak]] : [[from, peak], [to, peak]];

export function Roofline({ result, order }: { result: Result; order?: Order }) {
  const [asked, setAsked] = useState<Numbers | undefined>();
  useEffect(() => {
    setAsked(undefined);
    if (numbersOf(result) || !order) return;
    const stop = new AbortController();
    post<Result[]>("/predict", { ...order, gpus: [result.gpu.id], detail: "lean", options: { ...order.options, model: "roofline" } }, stop.signal)
      .then((answer) => setAsked(numbersOf(answer[0]) ?? {})).catch(() => {});
    return () => stop.abort();
  }, [result, order]);
  const n = numbersOf(result) ?? asked;
  if (!n) return null;
  const used = levels.filter(([id]) => n[`intensity_${id}`] > 0 && n[`ridge_${id}`] > 0);
  if (!(n.operations > 0) || !used.length) return <section><h2>Roofline</h2><p class="faint">No arithmetic is counted, or nothing goes through memory: there is nothing to place below a roof.</p></section>;
  const shown = used.flatMap(([id]) => [n[`intensity_${id}`], n[`ridge_${id}`]]);
  const from = Math.min(...shown) / 2, to = Math.max(...shown) * 2;
  const lines: Line[] = used.map(([id, label]) => ({ label: `${label}, ridge at ${figure(n[`ridge_${id}`])}`, points: roof(n[`ridge_${id}`], n.peak_gops, from, to) }));
  const points: Point[] = used.map(([id, label], i) => ({ x: n[`intensity_${id}`], y: n.reached_gops, label, strong: i === 0 }));
  return (
    <section><h2>Roofline <small>operations per byte of each level; peak {figure(n.peak_gops)}, attainable {figure(n.attainable_gops)}, reached {figure(n.reached_gops)} Gop/s</small></h2>
      <Plane title="The same launch below the roof of each level" x={{ label: "operations per byte", log: true }} y={{ label: "Gop/s", log: true, unit: "Gop/s" }} points={points} lines={lines} named />
    </section>
  );
}
