// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Sliders over one launch: every step asks the server, and the newest answer is shown.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { post, type Result } from "../api";
import { caseOf, empty, fromAddress, orderOf, type LaunchForm } from "../launch";
import { keep, type Place } from "../state";
import { LaunchFields } from "../parts/launch_form";
import { Answer, Bounds, Stalls } from "../parts/views";

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
  const [result, setResult] = useState<Result | null>(null);
  const [took, setTook] = useState(0);
  const [fault, setFault] = useState("");
  const pending = useRef(false), again = useRef(false), newest = useRef(() => {});

  const order = useMemo(() => {
    const whole = orderOf(form, "lean");
    const launch = caseOf({ ...form, smem: values.smem ? String(values.smem) : form.smem });
    // "N threads" as grid keeps the work while the block changes.
    const rest = (launch.block as number[]).slice(1);
    launch.block = [values.block, ...rest];
    const set = [values.bandwidth !== 1 ? `hw.memory.bandwidth=x${values.bandwidth}` : "", values.sms ? `hw.sm.count=${values.sms}` : "", extra].filter(Boolean);
    const options: Record<string, unknown> = { fast: true, budget: 0.02, ...whole.options };
    if (set.length) options.set = set;
    if (values.regs) options.regs = values.regs;
    if (values.clock) options.clock = String(values.clock);
    return { ...whole, gpus: whole.gpus.slice(0, 1), case: launch, options };
  }, [form, values, extra]);

  // One request at a time: a hand that is quicker than the server sees its last position.
  newest.current = async () => {
    if (pending.current) { again.current = true; return; }
    pending.current = true;
    const begun = performance.now();
    try {
      const answer = await post<Result[]>("/predict", order);
      setResult(answer[0]);
      setFault("");
      setTook(performance.now() - begun);
    } catch (e) { setFault((e as Error).message); }
    pending.current = false;
    if (again.current) { again.current = false; newest.current(); }
  };
  useEffect(() => {
    if (!form.input || !form.gpus) return;
    keep("whatif", { ...form, number: extra, ...Object.fromEntries(sliders.filter((s) => values[s.key] !== s.start).map((s) => [`s_${s.key}`, String(values[s.key])])) });
    newest.current();
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
        <details open={!form.input}><summary>Launch</summary><LaunchFields form={form} change={change} submit={() => newest.current()} busy={false} verb="Predict" several={false} /></details>
      </aside>
      <div class="results" aria-live="polite">
        {fault && <p class="fault" role="alert">{fault}</p>}
        {result && <><Answer result={result} />{!result.error && <><Bounds result={result} /><Stalls result={result} /></>}<p class="faint" data-took={took}>answered in {took.toFixed(0)} ms</p></>}
      </div>
    </div>
  );
}
