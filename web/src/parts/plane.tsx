// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Points and lines over two axes, each linear or logarithmic.
import { figure } from "../format";

export interface Point { x: number; y: number; label: string; strong?: boolean }
export interface Line { label: string; points: [number, number][]; dashed?: boolean }
interface Axis { label: string; log?: boolean; unit?: string }
interface Props { title: string; x: Axis; y: Axis; points: Point[]; lines?: Line[]; named?: boolean; height?: number }

const width = 640, left = 64, right = 16, top = 12, bottom = 44;

/** Steps of 1, 2 or 5 times a power of ten; of a logarithmic axis its decades, and between few of them their doubles and halves. */
function ticks(low: number, high: number, log: boolean): number[] {
  if (log) {
    const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
    if (last - first < 2) {
      const between = Array.from({ length: last - first + 3 }, (_, i) => 10 ** (first - 1 + i)).flatMap((d) => [d, 2 * d, 5 * d]);
      return between.filter((t) => t >= low && t <= high);
    }
    const apart = Math.max(1, Math.ceil((last - first) / 7));
    return Array.from({ length: Math.max(0, Math.floor((last - first) / apart) + 1) }, (_, i) => 10 ** (first + i * apart));
  }
  const rough = (high - low) / 5 || 1, size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5, 10].find((s) => s * size >= rough) ?? 10);
  return Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => (Math.ceil(low / step) + i) * step);
}

/** The range of an axis, with some room around what is on it. */
function range(values: number[], log: boolean): [number, number] {
  const known = values.filter((v) => Number.isFinite(v) && (!log || v > 0));
  if (!known.length) return log ? [1, 10] : [0, 1];
  const low = Math.min(...known), high = Math.max(...known);
  if (log) return [low / 1.8, high * 1.8];
  return [0, (high || 1) * 1.08];
}

/** Points at one place are one point with all their names. */
function joined(points: Point[]): Point[] {
  const places = new Map<string, Point>();
  for (const p of points) {
    const key = `${p.x.toPrecision(3)} ${p.y.toPrecision(3)}`, there = places.get(key);
    places.set(key, there ? { ...there, label: `${there.label}, ${p.label}`, strong: there.strong || p.strong } : p);
  }
  return [...places.values()];
}

export function Plane({ title, x, y, points: every, lines = [], named = false, height = 260 }: Props) {
  const points = joined(every);
  const all = [...points.map((p): [number, number] => [p.x, p.y]), ...lines.flatMap((l) => l.points)];
  const across = range(all.map((p) => p[0]), !!x.log), up = range(all.map((p) => p[1]), !!y.log);
  const place = (value: number, [low, high]: [number, number], log: boolean): number =>
    (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));
  const atX = (value: number): number => left + place(value, across, !!x.log) * (width - left - right);
  const atY = (value: number): number => height - bottom - place(value, up, !!y.log) * (height - top - bottom);
  return (
    <figure><figcaption>{title}</figcaption>
      <svg class="plane" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}: ${points.map((p) => `${p.label} ${figure(p.x)} ${x.unit ?? ""}, ${figure(p.y)} ${y.unit ?? ""}`).join("; ")}`}>
        {ticks(...across, !!x.log).map((t) => <g key={t}><line class="grid" x1={atX(t)} x2={atX(t)} y1={top} y2={height - bottom} /><text x={atX(t)} y={height - bottom + 16} text-anchor="middle">{figure(t)}</text></g>)}
        {ticks(...up, !!y.log).map((t) => <g key={t}><line class="grid" x1={left} x2={width - right} y1={atY(t)} y2={atY(t)} /><text x={left - 6} y={atY(t) + 4} text-anchor="end">{figure(t)}</text></g>)}
        <text x={(left + width - right) / 2} y={height - 6} text-anchor="middle">{x.label}</text>
        <text transform={`translate(12 ${(height - bottom + top) / 2}) rotate(-90)`} text-anchor="middle">{y.label}</text>
        {lines.map((l, i) => <g key={l.label}><polyline class={`series-${i % 4}`} stroke-dasharray={l.dashed ? "6 4" : undefined} points={l.points.map(([px, py]) => `${atX(px)},${atY(py)}`).join(" ")} /></g>)}
        {points.map((p) => <g key={p.label}><circle class={p.strong ? "strong" : ""} cx={atX(p.x)} cy={atY(p.y)} r={p.strong ? 6 : 4}><title>{`${p.label}: ${figure(p.x)} ${x.unit ?? ""}, ${figure(p.y)} ${y.unit ?? ""}`}</title></circle>{named && <text class="name" x={atX(p.x)} y={atY(p.y) + 20} text-anchor="middle">{p.label}</text>}</g>)}
      </svg>
      {lines.length > 0 && <ul class="legend">{lines.map((l, i) => <li key={l.label}><span class={`line-${i % 4}`} />{l.label}</li>)}</ul>}
    </figure>
  );
}
