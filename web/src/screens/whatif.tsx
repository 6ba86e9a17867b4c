// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Sliders over one launch: every step asks the server, and the newest answer is shown.
import { useEffect, useMemo, useState } from "preact/hooks";
import { get } from "../api";
import { caseOf, empty, fromAddress, orderOf, type LaunchForm } from "../launch";
import { keep, type Place } from "../state";
import { how, refined, useAnswers } from "../parts/answers";
import { LaunchFields } from "../parts/launch_form";
import { Answer, Bounds, Changed, Stalls } from "../parts/views";

interface Slider { key: string; label: string; from: number; to: number; step: number; start: number; unit: string }
const sliders: Slider[] = [
  { key: "block", label: "Threads per block", from: 32, to: 1024, step: 32, start: 256, unit: "" },
  { key: "regs", label: "Registers per thread", from: 0, to: 255, step: 1, start: 0, unit: "" },
  { key: "smem", label: "Dynamic shared memory", from: 0, to: 98304, step: 1024, start: 0, unit: "bytes" },
  { key: "clock", label: "Clock", from: 0, to: 3000, step: 10, start: 0, unit: "MHz" },
  { key: "bandwidth", label: "Memory bandwidth", from: 0.25, to: 4, step: 0.05, start: 1, unit: "times" },
  { key: "sms", label: "SMs", from: 0, to: 200, step: 1, start: 0, unit: "" },
];
type Facts = Record<string, { value?: number }>;
const neutral = (s: Slider): string => (["regs", "clock", "sms"].includes(s.key) ? "as it is" : "");

export function WhatIf({ place }: { place: Place }) {
  const [form, setForm] = useState<LaunchForm>(fromAddress(place.values));
  const [values, setValues] = useState<Record<string, number>>(() => Object.fromEntries(sliders.map((s) => [s.key, Number(place.values.get(`s_${s.key}`) ?? s.start)])));
  const [extra, setExtra] = useState(place.values.get("number") ?? "");
  const [facts, setFacts] = useState<Facts>({});
  const [fixed, setFixed] = useState(0);  // shared memory of a block that the kernel states
  const gpu = form.gpus.split(",")[0];
  useEffect(() => {
    let left = false;
    setFacts({});
    if (gpu) get<{ facts: Facts }>(`/gpus/${gpu}`).then((board) => { if (!left) setFacts(board.facts); }).catch(() => { /* the answer says what is wrong with it */ });
    return () => { left = true; };
  }, [gpu]);
  const rest = (caseOf(form).block as number[]).slice(1);  // the block's other sizes
  const most = (name: string): number => facts[`limits.${name}`]?.value ?? NaN;
  const limits: Record<string, number> = { block: most("threads_per_block") / rest.reduce((all, n) => all * n, 1), regs: most("registers_per_thread"), smem: most("shared_per_block_optin") - fixed };
  /** Where a slider ends: at what the board takes in a launch, where that is known. */
  const end = (s: Slider): number => (Number.isFinite(limits[s.key]) ? Math.max(s.from, Math.floor(limits[s.key] / s.step) * s.step) : s.to);
  const at = Object.fromEntries(sliders.map((s) => [s.key, Math.min(values[s.key], end(s))]));

  const order = useMemo(() => {
    const whole = orderOf(form, "lean");
    const launch = caseOf({ ...form, smem: at.smem ? String(at.smem) : form.smem });
    // "N threads" as grid keeps the work while the block changes.
    launch.block = [at.block, ...rest];
    const set = [at.bandwidth !== 1 ? `hw.memory.bandwidth=x${at.bandwidth}` : "", at.sms ? `hw.sm.count=${at.sms}` : "", extra.trim()].filter(Boolean);
    const options: Record<string, unknown> = { ...whole.options };
    if (set.length) options.set = set;
    if (at.regs) options.regs = at.regs;
    if (at.clock) options.clock = String(at.clock);
    return { ...whole, gpus: whole.gpus.slice(0, 1), case: launch, options };
  }, [form, JSON.stringify(at), extra]);

  const answers = useAnswers(form.input && form.gpus ? order : undefined, refined);
  const result = answers.results[0];
  useEffect(() => { if (result) setFixed(result.kernel.static_shared); }, [result]);
  useEffect(() => {
    if (!form.input || !form.gpus) return;
    keep("whatif", { ...form, number: extra, ...Object.fromEntries(sliders.filter((s) => values[s.key] !== s.start).map((s) => [`s_${s.key}`, String(values[s.key])])) });
  }, [order]);
  const change = (next: LaunchForm) => { setForm({ ...empty, ...next }); const block = Number(next.block.split(/[\s,x]+/)[0]); if (block && next.block !== form.block) setValues({ ...values, block }); };

  return (
    <div class="columns">
      <aside><h1>What if</h1>
        <div class="sliders">
          {sliders.map((s) => (
            <label key={s.key}>{s.label} <span class="value">{at[s.key] === s.start && neutral(s) ? neutral(s) : `${at[s.key]} ${s.unit}`}</span>
              <input type="range" min={s.from} max={end(s)} step={s.step} value={at[s.key]} onInput={(e) => setValues({ ...values, [s.key]: Number(e.currentTarget.value) })} /></label>
          ))}
          <label>Any number of the GPU<input value={extra} placeholder="hw.memory.bandwidth=x1.5" spellcheck={false} onInput={(e) => setExtra(e.currentTarget.value)} /></label>
        </div>
        <details open={!form.input}><summary>Launch</summary><LaunchFields form={form} change={change} several={false} /></details>
      </aside>
      <div class="results" aria-live="polite">
        <p class="faint how">{how(answers)}</p>
        {answers.fault && <p class="fault" role="alert">{answers.fault}</p>}
        {result && <div class={answers.fault ? "old" : ""}><Answer result={result} /><Changed now={result} earlier={answers.fault ? [] : answers.before} /><Bounds result={result} /><Stalls result={result} /></div>}
      </div>
    </div>
  );
}
