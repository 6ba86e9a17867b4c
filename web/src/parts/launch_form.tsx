// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { get, type Board } from "../api";
import { argumentsFor, type LaunchForm } from "../launch";
import { useCode, type Code } from "./code";

/** A form whose parts may change twice before the page is drawn again. */
export function useParts(form: LaunchForm, change: (form: LaunchForm) => void): (part: Partial<LaunchForm>) => void {
  const newest = useRef(form);
  newest.current = form;
  return (part) => { newest.current = { ...newest.current, ...part }; change(newest.current); };
}

export function ExampleField({ form, code }: { form: LaunchForm; code: Code }) {
  return (
    <label>Example
      <select value={form.input} onChange={(e) => code.choose(e.currentTarget.value.slice("example:".length))}>
        {!form.input.startsWith("example:") && <option value={form.input}>your own code</option>}
        {code.examples.map((x) => <option key={x.name} value={`example:${x.name}`}>{x.title}</option>)}
      </select>
    </label>
  );
}

export function OpenButton({ code }: { code: Code }) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <input ref={file} type="file" hidden aria-label="A file with code" onChange={(e) => { const f = e.currentTarget.files?.[0]; if (f) void code.open(f); }} />
      <button type="button" class="quiet" onClick={() => file.current?.click()}>Open a file ..</button>
    </>
  );
}

interface Parts { form: LaunchForm; set: (part: Partial<LaunchForm>) => void; code: Code; several?: boolean }

/** Kernel, grid, block, shared memory, GPUs, arguments and options. */
export function LaunchParts({ form, set, code, several = true }: Parts) {
  const [boards, setBoards] = useState<Board[]>([]);
  const [fault, setFault] = useState("");
  useEffect(() => { get<Board[]>("/gpus").then(setBoards).catch((e) => setFault(e.message)); }, []);
  const chosen = code.name(form.kernel);
  const gpus = form.gpus.split(",").filter(Boolean);
  const addGpu = (id: string) => {
    if (!id) return;
    // Before the list of boards is here, the server says whether there is such a board.
    if (boards.length && !boards.some((b) => b.id === id)) { setFault(`no board has the id '${id}': choose one of the list`); return; }
    setFault("");
    set({ gpus: several ? [...new Set([...gpus, id])].join(",") : id });
  };
  const field = (label: string, key: keyof LaunchForm, hint: string) => (
    <label>{label}<input value={form[key]} placeholder={hint} onInput={(e) => set({ [key]: e.currentTarget.value })} spellcheck={false} /></label>
  );
  return (
    <>
      {code.kernels.length > 1 ? (
        <label>Kernel
          <select value={chosen?.mangled ?? ""} onChange={(e) => { const other = code.name(e.currentTarget.value); set({ kernel: e.currentTarget.value, args: other ? argumentsFor(other, form.args) : form.args }); }}>
            {!chosen && <option value="">choose</option>}
            {code.kernels.map((k) => <option key={k.mangled} value={k.mangled}>{k.name}</option>)}
          </select>
        </label>
      ) : field("Kernel", "kernel", "the only one")}
      <div class="pair">{field("Grid", "grid", "x, y, z or N threads")}{field("Block", "block", "x, y, z")}</div>
      <div class="pair">{field("Shared memory", "smem", "dynamic, bytes")}
        <label>{several ? "Add a GPU" : "GPU"}
          <input list="boards" value={several ? undefined : form.gpus} placeholder="id or name" onChange={(e) => { addGpu(e.currentTarget.value); if (several) e.currentTarget.value = ""; }} />
        </label>
      </div>
      <datalist id="boards">{boards.map((b) => <option key={b.id} value={b.id}>{b.name}</option>)}</datalist>
      {several && <ul class="chips" aria-label="GPUs">
        {gpus.map((id) => <li key={id}>{id}<button type="button" class="quiet" aria-label={`Remove ${id}`} onClick={() => set({ gpus: gpus.filter((g) => g !== id).join(",") })}>×</button></li>)}
      </ul>}
      <label class="arguments">Arguments, one a line
        <textarea class="code" rows={4} value={form.args} spellcheck={false} onInput={(e) => set({ args: e.currentTarget.value })}
          placeholder={chosen ? chosen.parameters.map((p, i) => `${p.name || i}=${p.pointer ? "buffer:1048576" : "1"}`).join("\n") : "n=1024\nx=buffer:4096:zeros"} />
      </label>
      <details><summary>Options</summary>
        <label>One a line, as on the command line
          <textarea class="code" rows={3} value={form.options} spellcheck={false} placeholder={"model=all\nclock=boost"} onInput={(e) => set({ options: e.currentTarget.value })} /></label>
      </details>
      {fault && <p class="fault" role="alert">{fault}</p>}
    </>
  );
}

interface Props { form: LaunchForm; change: (form: LaunchForm) => void; submit?: () => void; busy?: boolean; verb?: string; several?: boolean }

/** All of a launch in one column; asked by a button where there is a verb. */
export function LaunchFields({ form, change, submit, busy, verb, several = true }: Props) {
  const set = useParts(form, change);
  const code = useCode(form, set);
  return (
    <form class="launch" onSubmit={(event) => { event.preventDefault(); submit?.(); }}>
      <ExampleField form={form} code={code} />
      <label>Code: paste or drop a listing, PTX or CUDA source
        <textarea class="code" rows={8} value={code.text} placeholder={code.binary} spellcheck={false} onDragOver={(e) => e.preventDefault()}
          onDrop={(e) => { e.preventDefault(); const f = e.dataTransfer?.files[0]; if (f) void code.open(f); }}
          onInput={(e) => code.type(e.currentTarget.value)} onChange={(e) => code.take(e.currentTarget.value)} />
      </label>
      <OpenButton code={code} />
      <LaunchParts form={form} set={set} code={code} several={several} />
      {code.fault && <p class="fault" role="alert">{code.fault}</p>}
      {verb && <button class="go" disabled={busy || !form.input || !form.gpus}>{busy ? "predicting .." : verb}</button>}
    </form>
  );
}
