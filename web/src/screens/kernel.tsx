// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Code beside its answer: every edit of code, launch or arguments is answered by itself, in place, with what changed.
import { useMemo, useRef, useState } from "preact/hooks";
import { follow, post, type Job, type Result } from "../api";
import { fromAddress, orderOf, type LaunchForm } from "../launch";
import { address, keep, type Place } from "../state";
import { how, refined, useAnswers } from "../parts/answers";
import { useCode } from "../parts/code";
import { Editor, type Heat } from "../parts/editor";
import { languageOf, linesOf } from "../parts/heat";
import { ExampleField, LaunchParts, OpenButton, useParts } from "../parts/launch_form";
import { Answer, Assumptions, Changed, Listing, Source, Why } from "../parts/views";
import { duration } from "../format";

/** A complaint of the compiler or of ours about a line of the code. */
function faultOf(text: string): { line: number; text: string } | undefined {
  const found = /(?:pasted[\w.]*[:(]|\bline )(\d+)[:)]?(?:\d+:)?\s*/.exec(text);
  return found ? { line: Number(found[1]), text: text.slice(found.index + found[0].length) } : undefined;
}

export function Kernel({ place }: { place: Place }) {
  const [form, setForm] = useState<LaunchForm>(fromAddress(place.values));
  const [shown, setShown] = useState(0);
  const [kept, setKept] = useState<Job | string>("");
  const [line, setLine] = useState(0);
  const [instruction, setInstruction] = useState<number | null>(null);
  const set = useParts(form, (next) => { setForm(next); keep("kernel", { ...next }); setKept(""); });
  const code = useCode(form, set);
  const order = useMemo(() => (form.input && form.gpus && form.grid.trim() && form.block.trim() ? orderOf(form) : undefined), [form]);
  const answers = useAnswers(order, refined);
  const result = answers.results[Math.min(shown, answers.results.length - 1)];

  // What was last right stays in sight while an edit is not.
  const good = useRef<Result | undefined>();
  if (result && !result.error) good.current = result;
  const last = good.current, wrong = order ? code.fault || answers.fault || result?.error || "" : "";
  const lines = useMemo(() => linesOf(code.text, last), [code.text, last]);
  const heat = useMemo<Heat>(() => {
    const over = instruction === null ? undefined : lines.lineOf.get(instruction);
    return { shares: lines.shares, pointed: over === undefined ? [] : [over] };
  }, [lines, instruction]);

  const store = async () => {
    try {
      const begun = await post<Job>("/jobs", { kind: "predict", ...orderOf(form) });
      setKept(begun);
      await follow(begun.id, setKept);
    } catch (e) { setKept((e as Error).message); }
  };
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    void code.open(file);
  };
  return (
    <div class="workbench">
      <h1 class="hidden">Kernel</h1>
      <form class="terms" aria-label="Launch" onSubmit={(event) => event.preventDefault()}>
        <ExampleField form={form} code={code} />
        <LaunchParts form={form} set={set} code={code} />
      </form>
      <div class="columns even">
        <div class="pane" onDropCapture={drop} onDragOver={(e) => { if (e.dataTransfer?.types.includes("Files")) e.preventDefault(); }}>
          {code.binary ? <p class="faint">{code.binary}</p>
            : <Editor label="Code: type, paste or drop a listing, PTX or CUDA source" language={languageOf(code.text)} value={code.text} change={code.type} fault={faultOf(wrong)} height="var(--pane)" heat={heat} over={setLine} />}
          <div class="toolbar"><OpenButton code={code} />
            <button type="button" class="quiet" disabled={!order || wrong !== ""} onClick={store}>Keep in the results</button>
            <span class="faint" role="status">{typeof kept === "string" ? kept : kept.error ?? (kept.state === "done" ? <>kept: <a href={address("results", { run: String(kept.run) })}>run {kept.run}</a></> : `${kept.state} ..`)}</span></div>
        </div>
        <div class="results">
          <p class="faint how">{!order ? "grid, block and a GPU are needed" : wrong ? "" : how(answers)}</p>
          {answers.results.length > 1 && <div class="tabs" role="tablist" aria-label="GPUs">
            {answers.results.map((r, i) => <button key={r.gpu.id} role="tab" aria-selected={i === shown} onClick={() => setShown(i)}>{r.gpu.id} <small>{r.error ? "refused" : duration(r.time_ms)}</small></button>)}
          </div>}
          {wrong && <p class="fault" role="alert">{wrong}</p>}
          {last && <div class={wrong ? "old" : ""}>
            <div aria-live="polite"><Answer result={last} /><Changed now={last} before={wrong ? undefined : answers.before.find((r) => r.gpu.id === last.gpu.id)} /></div>
            <Listing result={last} pointed={lines.addresses.get(line)} told={setInstruction} />
            {!lines.lineOf.size && <Source result={last} />}
          </div>}
          {!last && !wrong && <section class="answer" />}
        </div>
      </div>
      {last && !wrong && <div class="why"><Why result={last} order={answers.settled ? answers.order : undefined} /><Assumptions result={last} /></div>}
    </div>
  );
}
