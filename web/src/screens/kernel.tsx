// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Code beside its answer: every edit of code, launch or arguments is answered by itself, in place, with what changed.
import { useMemo, useState } from "preact/hooks";
import { follow, post, type Job } from "../api";
import { fromAddress, inputOf, orderOf, type LaunchForm } from "../launch";
import { address, keep, type Place } from "../state";
import { how, refined, useAnswers } from "../parts/answers";
import { useCode } from "../parts/code";
import { Editor, type Heat } from "../parts/editor";
import { hasNoHeat, languageOf, linesOf } from "../parts/heat";
import { ExampleField, LaunchParts, OpenButton, useParts } from "../parts/launch_form";
import { textOf } from "../parts/texts";
import { Answer, Assumptions, Changed, Listing, Source, Why } from "../parts/views";
import { duration } from "../format";

/** A complaint of the compiler or of ours about a line of the code: "ID/saxpy.cu:12:3: ..", "saxpy.cu(12): ..", "line 12: ..". */
function faultOf(text: string): { line: number; text: string } | undefined {
  const found = /(?:\b[0-9a-f]{16}\/[^:\n]*?[:(]|(?<![\w/.])[\w+-]+\.\w+[:(]|\bline )(\d+)\)?[:;]?(?:\d+:)?\s+/.exec(text);
  return found ? { line: Number(found[1]), text: text.slice(found.index + found[0].length) } : undefined;
}

export function Kernel({ place }: { place: Place }) {
  const [form, setForm] = useState<LaunchForm>(fromAddress(place.values));
  const [shown, setShown] = useState(0);
  const [kept, setKept] = useState<{ of: string; told: Job | string }>({ of: "", told: "" });
  const [line, setLine] = useState(0);
  const [instruction, setInstruction] = useState<number | null>(null);
  const set = useParts(form, (next) => { setForm(next); keep("kernel", { ...next }); });
  const code = useCode(form, set);
  const order = useMemo(() => (form.input && form.gpus && form.grid.trim() && form.block.trim() ? orderOf(form) : undefined), [form]);
  const answers = useAnswers(order, refined);
  const result = answers.results[Math.min(shown, answers.results.length - 1)];
  // What was last right stays in sight while an edit is not.
  const wrong = order ? code.fault || answers.fault : "", whole = answers.state === "answered" && !wrong;
  const lines = useMemo(() => linesOf(code.text, result, answers.order && textOf(inputOf(answers.order))), [code.text, result]);
  const heat = useMemo<Heat>(() => {
    const over = instruction === null ? undefined : lines.lineOf.get(instruction);
    return { shares: lines.shares, pointed: over === undefined ? [] : [over] };
  }, [lines, instruction]);

  const store = async () => {
    const of = JSON.stringify(answers.order), told = (now: Job | string) => setKept({ of, told: now });
    try {
      const begun = await post<Job>("/jobs", { kind: "predict", ...answers.order });
      told(begun);
      await follow(begun.id, told);
    } catch (e) { told((e as Error).message); }
  };
  const { told } = kept.of === JSON.stringify(order) ? kept : { told: "" };  // of what is shown, not of what was before an edit
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
            <button type="button" class="quiet" disabled={!whole} onClick={store}>Keep in the results</button>
            <span class="faint" role="status">{typeof told === "string" ? told : told.error ?? (told.state === "done" ? <>kept: <a href={address("results", { run: String(told.run) })}>run {told.run}</a></> : `${told.state} ..`)}</span>
            {hasNoHeat(code.text) && <span class="faint">PTX: times are those of the listing</span>}</div>
        </div>
        <div class="results">
          <p class="faint how">{!order ? "grid, block and a GPU are needed" : wrong ? "" : how(answers)}</p>
          {answers.results.length > 1 && <div class="tabs" role="tablist" aria-label="GPUs">
            {answers.results.map((r, i) => <button key={r.gpu.id} role="tab" aria-selected={i === shown} onClick={() => setShown(i)}>{r.gpu.id} <small>{r.error ? "refused" : duration(r.time_ms)}</small></button>)}
          </div>}
          {wrong && <p class="fault" role="alert">{wrong}</p>}
          {result && <div class={wrong || !order ? "old" : ""}>
            <div aria-live="polite"><Answer result={result} /><Changed now={result} earlier={wrong || !order ? [] : answers.before} /></div>
            <Listing result={result} pointed={lines.addresses.get(line)} told={setInstruction} />
            {!lines.lineOf.size && <Source result={result} />}
          </div>}
          {!result && !wrong && <section class="answer" />}
        </div>
      </div>
      {result && !result.error && !wrong && order && <div class="why"><Why result={result} order={whole ? answers.order : undefined} /><Assumptions result={result} /></div>}
    </div>
  );
}
