// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from "preact/hooks";
import { get, upload, type Board, type Example, type Kernel } from "../api";
import { formOf, type LaunchForm } from "../launch";

interface Props { form: LaunchForm; change: (form: LaunchForm) => void; submit: () => void; busy: boolean; verb: string; several?: boolean }

/** Code, kernel, launch, arguments and GPUs of a prediction. */
export function LaunchFields({ form, change, submit, busy, verb, several = true }: Props) {
  const [boards, setBoards] = useState<Board[]>([]);
  const [examples, setExamples] = useState<Example[]>([]);
  const [kernels, setKernels] = useState<Kernel[]>([]);
  const [text, setText] = useState("");
  const [fault, setFault] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const newest = useRef(form);  // two changes may come before the page is drawn again
  newest.current = form;
  const set = (part: Partial<LaunchForm>) => { newest.current = { ...newest.current, ...part }; change(newest.current); };

  useEffect(() => {
    get<Board[]>("/gpus").then(setBoards).catch((e) => setFault(e.message));
    get<Example[]>("/examples").then((all) => {
      const list = all.filter((x) => x.kind === "kernel");
      setExamples(list);
      if (!form.input && list.length) change(formOf(list[0]));
    }).catch((e) => setFault(e.message));
  }, []);

  useEffect(() => {
    setKernels([]);
    if (form.input.startsWith("example:")) {
      get<{ text: string }>(`/examples/${encodeURIComponent(form.input.slice(8))}`).then((e) => setText(e.text)).catch((e) => setFault(e.message));
      return;
    }
    const gpu = form.gpus.split(",")[0];
    if (!form.input.startsWith("id:") || !gpu) return;
    get<Kernel[]>(`/inputs/${form.input.slice(3)}/kernels?gpu=${gpu}`).then((found) => { setFault(""); setKernels(found); }).catch((e) => setFault(e.message));
  }, [form.input]);

  const bring = async (name: string, bytes: BlobPart) => {
    try {
      setFault("");
      const input = await upload(name, bytes);
      set({ input: `id:${input.id}`, kernel: "" });
    } catch (e) { setFault((e as Error).message); }
  };
  const dropped = async (event: DragEvent) => {
    event.preventDefault();
    const brought = event.dataTransfer?.files[0];
    if (!brought) return;
    const bytes = await brought.arrayBuffer();
    const shown = new TextDecoder().decode(bytes.slice(0, 200_000));
    setText(shown.includes("\u0000") ? `(${brought.name}, ${bytes.byteLength} bytes)` : shown);
    await bring(brought.name, bytes);
  };
  const chosen = kernels.find((k) => k.name === form.kernel || k.mangled === form.kernel) ?? (kernels.length === 1 ? kernels[0] : undefined);
  const gpus = form.gpus.split(",").filter(Boolean);
  const addGpu = (id: string) => {
    if (!id) return;
    // Before the list of boards is here, the server says whether there is such a board.
    if (boards.length && !boards.some((b) => b.id === id)) { setFault(`no board has the id '${id}': choose one of the list`); return; }
    setFault("");
    const there = newest.current.gpus.split(",").filter(Boolean);
    set({ gpus: several ? [...new Set([...there, id])].join(",") : id });
  };
  const field = (label: string, key: keyof LaunchForm, hint: string) => (
    <label>{label}<input value={form[key]} placeholder={hint} onInput={(e) => set({ [key]: e.currentTarget.value })} spellcheck={false} /></label>
  );

  return (
    <form class="launch" onSubmit={(event) => { event.preventDefault(); submit(); }}>
      <label>Example
        <select value={form.input} onChange={(e) => { const found = examples.find((x) => `example:${x.name}` === e.currentTarget.value); if (found) change({ ...formOf(found), options: form.options }); }}>
          {!form.input.startsWith("example:") && <option value={form.input}>your own code</option>}
          {examples.map((x) => <option key={x.name} value={`example:${x.name}`}>{x.title}</option>)}
        </select>
      </label>
      <label>Code: paste or drop a listing, PTX or CUDA source
        <textarea class="code" rows={8} value={text} spellcheck={false} onDragOver={(e) => e.preventDefault()} onDrop={dropped}
          onInput={(e) => setText(e.currentTarget.value)}
          onChange={(e) => bring("pasted", e.currentTarget.value)} />
      </label>
      <input ref={file} type="file" hidden aria-label="A file with code" onChange={async (e) => { const f = e.currentTarget.files?.[0]; if (f) { const b = await f.arrayBuffer(); setText(`(${f.name})`); await bring(f.name, b); } }} />
      <button type="button" class="quiet" onClick={() => file.current?.click()}>Open a file ..</button>
      {kernels.length > 1 ? (
        <label>Kernel
          <select value={form.kernel} onChange={(e) => set({ kernel: e.currentTarget.value })}>
            <option value="">choose</option>
            {kernels.map((k) => <option key={k.mangled} value={k.mangled}>{k.name}</option>)}
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
      <label>Arguments, one a line
        <textarea class="code" rows={4} value={form.args} spellcheck={false} onInput={(e) => set({ args: e.currentTarget.value })}
          placeholder={chosen ? chosen.parameters.map((p, i) => `${p.name || i}=${p.pointer ? "buffer:1048576" : "1"}`).join("\n") : "n=1024\nx=buffer:4096:zeros"} />
      </label>
      <details><summary>Options</summary>
        <label>One a line, as on the command line
          <textarea class="code" rows={3} value={form.options} spellcheck={false} placeholder={"model=all\nclock=boost"} onInput={(e) => set({ options: e.currentTarget.value })} /></label>
      </details>
      {fault && <p class="fault" role="alert">{fault}</p>}
      <button class="go" disabled={busy || !form.input || !form.gpus}>{busy ? "predicting .." : verb}</button>
    </form>
  );
}
