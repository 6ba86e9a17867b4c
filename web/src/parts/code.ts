// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The code of a launch: examples, what was typed, dropped or opened, and the kernels that are in it.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, upload, type Example, type Kernel } from "../api";
import { argumentsFor, formOf, partsOf, type LaunchForm } from "../launch";
import { remember, textOf } from "./texts";

export interface Code {
  examples: Example[]; kernels: Kernel[]; text: string; fault: string;
  binary: string;                        // what is shown of a file that is no text
  choose: (name: string) => void;        // an example
  type: (text: string) => void;          // taken when the hand rests
  take: (text: string) => void;          // taken at once
  open: (file: File) => Promise<void>;
  name: (kernel: string) => Kernel | undefined;
}
const rests = 300;  // ms after the last key
const plain = (name: string): string => name.replace(/[<(].*/s, "");

/** The kernel of a name as the server takes it: mangled, whole, or plain where one has it; no name is the only kernel. */
function named(list: Kernel[], kernel: string): Kernel | undefined {
  const exact = list.find((k) => k.mangled === kernel) ?? list.find((k) => k.name === kernel);
  const close = kernel === "" ? list : list.filter((k) => plain(k.name) === kernel);
  return exact ?? (close.length === 1 ? close[0] : undefined);
}

/** `change` is called with the newest form, whatever was changed meanwhile. */
export function useCode(form: LaunchForm, change: (part: Partial<LaunchForm>) => void): Code {
  const [examples, setExamples] = useState<Example[]>([]);
  const [text, setText] = useState("");
  const [binary, setBinary] = useState("");
  const [unsent, setUnsent] = useState("");  // why the newest code is not with the server
  const [found, setFound] = useState<{ kernels: Kernel[]; fault: string }>({ kernels: [], fault: "" });
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>();
  const turn = useRef(0);  // of the hand: what was asked before it counts no more
  const newest = useRef(form);
  newest.current = form;
  const begin = (): number => { clearTimeout(resting.current); return ++turn.current; };
  const firstGpu = form.gpus.split(",")[0];

  useEffect(() => {
    get<Example[]>("/examples").then((all) => {
      const list = all.filter((x) => x.kind === "kernel");
      setExamples(list);
      if (turn.current === 0 && !newest.current.input && list.length) change(formOf(list[0]));
    }).catch((e) => setUnsent(e.message));
    return () => { begin(); };
  }, []);

  useEffect(() => setUnsent(""), [form.input]);
  useEffect(() => {
    setFound({ kernels: [], fault: "" });
    let left = false;
    const now = turn.current, told = (e: Error) => { if (!left) setFound({ kernels: [], fault: e.message }); };
    const show = (shown: string) => { if (!left && turn.current === now) { setText(shown); setBinary(""); } };
    const [kind, id] = partsOf(form.input);
    if (kind === "example") get<{ text: string }>(`/examples/${encodeURIComponent(id)}`).then((e) => { remember(form.input, e.text); show(e.text); }).catch(told);
    if (kind === "id" && !text && !binary) show(textOf(form.input) ?? "");
    if (kind === "id" && firstGpu) get<Kernel[]>(`/inputs/${id}/kernels?gpu=${firstGpu}`).then((kernels) => {
      if (left) return;
      setFound({ kernels, fault: "" });
      if (!kernels.length) return;
      // The kernel and the arguments of the code before are not those of another one.
      const { kernel, args } = newest.current, kept = named(kernels, kernel), other = kernels.length === 1 ? "" : kernels[0].mangled;
      const next = { kernel: kept ? kernel : other, args: argumentsFor(kept ?? kernels[0], args) };
      if (next.kernel !== kernel || next.args !== args) change(next);
    }).catch(told);
    return () => { left = true; };
  }, [form.input, firstGpu]);

  const bring = async (own: number, name: string, bytes: BlobPart, part: Partial<LaunchForm> = {}) => {
    try {
      const input = `id:${(await upload(name, bytes)).id}`;
      if (own !== turn.current) return;
      setUnsent("");
      if (typeof bytes === "string") remember(input, bytes);
      change({ ...part, input });
    } catch (e) { if (own === turn.current) setUnsent((e as Error).message); }
  };
  const write = (typed: string, wait: number) => {
    const own = begin();
    setText(typed);
    setBinary("");
    resting.current = setTimeout(() => void bring(own, "pasted", typed), wait);
  };
  return {
    examples, kernels: found.kernels, text, binary, fault: unsent || found.fault,
    choose: (name) => { const example = examples.find((x) => x.name === name); if (example) { begin(); change({ ...formOf(example), options: newest.current.options }); } },
    type: (typed) => write(typed, rests),
    take: (typed) => write(typed, 0),
    open: async (file) => {
      const own = begin(), bytes = await file.arrayBuffer(), shown = new TextDecoder().decode(bytes);
      if (own !== turn.current) return;
      const isText = !shown.slice(0, 200_000).includes("\u0000");
      setText(isText ? shown : "");
      setBinary(isText ? "" : `${file.name}, ${bytes.byteLength} bytes of machine code: the listing shows what was read`);
      await bring(own, file.name, isText ? shown : bytes, { kernel: "" });
    },
    name: (kernel) => named(found.kernels, kernel),
  };
}
