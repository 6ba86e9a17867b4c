// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Sliders over one launch: every step asks the server, and the newest answer is shown.
import { useEffect, useMemo, useState } from "preact/hooks";
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
const neutral = (s: Slider): string => (["regs", "clock", "sms"].includes(s.key) ? "as it is" : "");

export function WhatIf({ place }: { place: Place }) {
  const [form, setForm] = useState<LaunchForm>(fromAddress(place.values));
  const [values, setValues] = useState<Record<string, number>>(() => Object.fromEntries(sliders.map((s) => [s.key, Number(place.values.get(`s_${s.key}`) ?? s.start)])));
  const [extra, setExtra] = useState(place.values.get("number") ?? "");

  const order = useMemo(() => {
    const whole = orderOf(form, "lean");
    const launch = caseOf({ ...form, smem: values.smem ? String(values.smem) : form.smem });
    // "N threads" as grid keeps the work while the block changes.
    const rest = (launch.block as number[]).slice(1);
    launch.block = [values.block, ...rest];
    const set = [values.bandwidth !== 1 ? `hw.memory.bandwidth=x${values.bandwidth}` : "", values.sms ? `hw.sm.count=${values.sms}` : "", extra].filter(Boolean);
    const options: Record<string, unknown> = { ...whole.options };
    if (set.length) options.set = set;
    if (values.regs) options.regs = values.regs;
    if (values.clock) options.clock = String(values.clock);
    return { ...whole, gpus: whole.gpus.slice(0, 1), case: launch, options };
  }, [form, values, extra]);

  const answers = useAnswers(form.input && form.gpus ? order : undefined, refined);
  const result = answers.results[0];
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
            <label key={s.key}>{s.label} <span class="value">{values[s.key] === s.start && neutral(s) ? neutral(s) : `${values[s.key]} ${s.unit}`}</span>
              <input type="range" min={s.from} max={s.to} step={s.step} value={values[s.key]} onInput={(e) => setValues({ ...values, [s.key]: Number(e.currentTarget.value) })} /></label>
          ))}
          <label>Any number of the GPU<input value={extra} placeholder="hw.memory.bandwidth=x1.5" spellcheck={false} onChange={(e) => setExtra(e.currentTarget.value)} /></label>
        </div>
        <details open={!form.input}><summary>Launch</summary><LaunchFields form={form} change={change} several={false} /></details>
      </aside>
      <div class="results" aria-live="polite">
        <p class="faint how">{how(answers)}</p>
        {answers.fault && <p class="fault" role="alert">{answers.fault}</p>}
        {result && <><Answer result={result} /><Changed now={result} before={answers.before[0]} />{!result.error && <><Bounds result={result} /><Stalls result={result} /></>}</>}
      </div>
    </div>
  );
}
