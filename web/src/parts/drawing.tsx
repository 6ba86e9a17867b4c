// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// A system drawn: components that are dragged about, links between two that were picked. The text of the file follows the drawing.
import { useRef, useState } from "preact/hooks";

export interface Node { name: string; kind: "cpu" | "gpu"; hardware: string; x: number; y: number }
export interface Link { name: string; ends: [string, string]; hardware: string }
export interface Drawn { name: string; nodes: Node[]; links: Link[] }

export const fileOf = (d: Drawn): string => [
  `name = "${d.name}"`, "base_w = 0",
  ...d.nodes.map((n) => n.kind === "cpu"
    ? `\n[[component]]\nname = "${n.name}"\nkind = "cpu"\nlabels = { CPU = 1 }`
    : `\n[[component]]\nname = "${n.name}"\nkind = "gpu"\nhardware = "${n.hardware}"\nlabels = { GPU = 1 }\nmodel = "warp_rate.lua"\n\n[component.attributes]\nwarpSize = 32\nGMEMThroughput = 13.78\nSMs = 13\nSMCoreClock = 1253\nCUDACores = 128\nschedulers = 4`),
  ...d.links.map((l) => `\n[[link]]\nname = "${l.name}"\nends = ["${l.ends[0]}", "${l.ends[1]}"]\nhardware = "${l.hardware}"\nmemory = "pageable"`),
].join("\n") + "\n";

const size = { width: 132, height: 56 };

export function Drawing({ drawn, change }: { drawn: Drawn; change: (d: Drawn) => void }) {
  const [picked, setPicked] = useState("");
  const held = useRef<{ name: string; dx: number; dy: number } | null>(null);
  const area = useRef<SVGSVGElement>(null);
  const at = (event: PointerEvent) => {
    const box = area.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const move = (name: string, x: number, y: number) => change({ ...drawn, nodes: drawn.nodes.map((n) => (n.name === name ? { ...n, x: Math.max(0, x), y: Math.max(0, y) } : n)) });
  const add = (kind: "cpu" | "gpu") => {
    const count = drawn.nodes.filter((n) => n.kind === kind).length;
    const name = `${kind === "cpu" ? "host" : "gpu"}${count || ""}`;
    change({ ...drawn, nodes: [...drawn.nodes, { name, kind, hardware: kind === "gpu" ? "gtx970" : "", x: 24 + 160 * drawn.nodes.length, y: kind === "cpu" ? 24 : 140 }] });
  };
  const pick = (name: string) => {
    if (!picked || picked === name) { setPicked(picked === name ? "" : name); return; }
    const known = drawn.links.some((l) => l.ends.includes(picked) && l.ends.includes(name));
    if (!known) change({ ...drawn, links: [...drawn.links, { name: `link${drawn.links.length}`, ends: [picked, name], hardware: "pcie-3-x16@gajger" }] });
    setPicked("");
  };
  const keys = (event: KeyboardEvent, n: Node) => {
    const step = 12;
    const moved = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (moved) { event.preventDefault(); move(n.name, n.x + moved[0], n.y + moved[1]); }
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); pick(n.name); }
    if (event.key === "Delete") change({ ...drawn, nodes: drawn.nodes.filter((o) => o !== n), links: drawn.links.filter((l) => !l.ends.includes(n.name)) });
  };
  const node = (name: string) => drawn.nodes.find((n) => n.name === name)!;
  return (
    <div class="drawing">
      <div class="toolbar"><button type="button" class="quiet" onClick={() => add("cpu")}>Add a host</button><button type="button" class="quiet" onClick={() => add("gpu")}>Add a GPU</button>
        <button type="button" class="quiet" onClick={() => change({ ...drawn, nodes: [], links: [] })}>Clear</button>
        <span class="faint">{picked ? `${picked} is picked: pick another one to link them` : "drag to move, pick two to link, Delete removes"}</span></div>
      <svg ref={area} height="230" aria-label="The system"
        onPointerMove={(e) => { if (held.current) { const p = at(e); move(held.current.name, p.x - held.current.dx, p.y - held.current.dy); } }}
        onPointerUp={() => { held.current = null; }}>
        {drawn.links.map((l) => <line key={l.name} x1={node(l.ends[0]).x + size.width / 2} y1={node(l.ends[0]).y + size.height / 2} x2={node(l.ends[1]).x + size.width / 2} y2={node(l.ends[1]).y + size.height / 2} />)}
        {drawn.nodes.map((n) => (
          <g key={n.name} role="button" tabIndex={0} aria-pressed={picked === n.name} transform={`translate(${n.x} ${n.y})`} class={n.kind}
            onKeyDown={(e) => keys(e, n)} onClick={() => pick(n.name)}
            onPointerDown={(e) => { const p = at(e); held.current = { name: n.name, dx: p.x - n.x, dy: p.y - n.y }; }}>
            <rect width={size.width} height={size.height} rx="6" /><text x="12" y="24">{n.name}</text><text x="12" y="44" class="small">{n.hardware || "host"}</text>
          </g>))}
      </svg>
    </div>
  );
}
