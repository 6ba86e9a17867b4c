// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// An editor with completion and faults in place. CodeMirror is loaded when the first one is shown; until then, and where it
// cannot be, a plain field takes its place and its size.
import { useEffect, useRef, useState } from "preact/hooks";
import type { EditorView } from "@codemirror/view";
import type { Setup } from "./editor_setup";

export interface Fault { line: number; text: string }
interface Props { label: string; language: "lua" | "toml"; value: string; change: (text: string) => void; fault?: Fault; height?: number }

export function Editor({ label, language, value, change, fault, height = 300 }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<{ view: EditorView; setup: Setup } | null>(null);
  const told = useRef(change);
  const typed = useRef<string[]>([]);  // told, and not yet come back as the value
  const [ready, setReady] = useState(false);
  told.current = change;
  useEffect(() => {
    let ended = false;
    import("./editor_setup").then(({ setup }) => {
      if (ended || !place.current) return;
      made.current = { view: setup.view(place.current, label, language, value, (text) => { typed.current.push(text); told.current(text); }), setup };
      setReady(true);
    }).catch(() => {});
    return () => { ended = true; made.current?.view.destroy(); made.current = null; };
  }, []);
  useEffect(() => {
    const own = typed.current.lastIndexOf(value);
    if (own >= 0) typed.current.splice(0, own + 1);
    else if (made.current) made.current.setup.replace(made.current.view, value);
  }, [value, ready]);
  useEffect(() => { if (made.current) made.current.setup.mark(made.current.view, fault); }, [fault?.line, fault?.text, ready]);
  return (
    <div class="editor"><p class="label">{label} <span class="wrong" role="status">{fault ? `line ${fault.line}: ${fault.text}` : ""}</span></p>
      <div ref={place} class="code" style={{ height: `${height}px` }}>
        {!ready && <textarea class="code" aria-label={label} style={{ height: `${height}px` }} value={value} spellcheck={false} onInput={(e) => change(e.currentTarget.value)} />}
      </div>
    </div>
  );
}
