// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// An editor with completion, faults and heat in place. CodeMirror is loaded when the first one is shown; until then, and where
// it cannot be, a plain field takes its place and its size.
import { useEffect, useRef, useState } from "preact/hooks";
import type { EditorView } from "@codemirror/view";
import type { Setup } from "./editor_setup";

export type Language = "lua" | "toml" | "cuda" | "listing";
export interface Fault { line: number; text: string }
/** Shares of the time by line, and the lines that something else on the page points at. */
export interface Heat { shares: Map<number, number>; pointed: number[] }
interface Props {
  label: string; language: Language; value: string; change: (text: string) => void; fault?: Fault;
  height?: string;               // of CSS
  heat?: Heat;                   // given once: given always
  over?: (line: number) => void; // the line under the pointer, 0: none
}

export function Editor({ label, language, value, change, fault, height = "300px", heat, over }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const made = useRef<{ view: EditorView; setup: Setup } | null>(null);
  const told = useRef({ change, over });
  const typed = useRef<string[]>([]);  // told, and not yet come back as the value
  const [ready, setReady] = useState(false);
  told.current = { change, over };
  useEffect(() => {
    let ended = false;
    import("./editor_setup").then(({ setup }) => {
      if (ended || !place.current) return;
      const wishes = { label, language, text: value, change: (text: string) => { typed.current.push(text); told.current.change(text); } };
      made.current = { view: setup.view(place.current, heat ? { ...wishes, over: (line) => told.current.over?.(line) } : wishes), setup };
      setReady(true);
    }).catch(() => {});
    return () => { ended = true; made.current?.view.destroy(); made.current = null; };
  }, []);
  useEffect(() => {
    const own = typed.current.lastIndexOf(value);
    if (own >= 0) typed.current.splice(0, own + 1);
    else if (made.current) made.current.setup.replace(made.current.view, value);
  }, [value, ready]);
  useEffect(() => { if (made.current) made.current.setup.speak(made.current.view, language); }, [language, ready]);
  useEffect(() => { if (made.current) made.current.setup.mark(made.current.view, fault); }, [fault?.line, fault?.text, ready]);
  useEffect(() => { if (made.current && heat) made.current.setup.heat(made.current.view, heat); }, [heat, ready]);
  return (
    <div class="editor"><p class="label" title={fault?.text}>{label} <span class="wrong" role="status">{fault ? `line ${fault.line}: ${fault.text}` : ""}</span></p>
      <div ref={place} class="code" style={{ height }}>
        {!ready && <textarea class="code" aria-label={label} style={{ height }} value={value} spellcheck={false} onInput={(e) => change(e.currentTarget.value)} />}
      </div>
    </div>
  );
}
