// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Charts are drawn by uPlot, which is loaded when the first one is shown.
import { useEffect, useRef } from "preact/hooks";

export interface Series { label: string; values: (number | null)[]; dashed?: boolean }
interface Props { title: string; x: { label: string; values: number[] }; series: Series[]; mark?: { value: number; label: string }; height?: number }

const colours = ["--series-1", "--series-2", "--series-3", "--series-4"];

export function Chart({ title, x, series, mark, height = 220 }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let ended = false;
    let plot: { destroy(): void; setSize(size: { width: number; height: number }): void } | undefined;
    const watch = new ResizeObserver(() => plot?.setSize({ width: place.current!.clientWidth, height }));
    Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]).then(([{ default: UPlot }]) => {
      if (ended || !place.current) return;
      const style = getComputedStyle(document.documentElement);
      const ink = style.getPropertyValue("--faint"), line = style.getPropertyValue("--line");
      const all = mark ? [...series, { label: mark.label, values: x.values.map(() => mark.value), dashed: true }] : series;
      plot = new UPlot({
        width: place.current.clientWidth, height, scales: { x: { time: false } },
        axes: [{ stroke: ink, grid: { stroke: line }, label: x.label, labelSize: 22 }, { stroke: ink, grid: { stroke: line }, size: 52 }],
        series: [{ label: x.label }, ...all.map((s, i) => ({ label: s.label, stroke: style.getPropertyValue(colours[i % colours.length]), width: 2, dash: s.dashed ? [6, 4] : undefined, points: { show: x.values.length < 40 } }))],
      }, [x.values, ...all.map((s) => s.values)], place.current);
      watch.observe(place.current);
    });
    return () => { ended = true; watch.disconnect(); plot?.destroy(); };
  }, [x, series, mark]);
  return <figure><figcaption>{title}</figcaption><div ref={place} style={{ minHeight: height + 40 }} /></figure>;
}
