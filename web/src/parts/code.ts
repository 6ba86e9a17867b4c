// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The code of a launch: examples, what was typed, dropped or opened, and the kernels that are in it.
import { useEffect, useRef, useState } from "preact/hooks";
import { get, upload, type Example, type Kernel } from "../api";
import { argumentsFor, formOf, type LaunchForm } from "../launch";

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
const remembered = (id: string): string => `code:${id}`;

/** `change` is called with the newest form, whatever was changed meanwhile. */
export function useCode(form: LaunchForm, change: (part: Partial<LaunchForm>) => void): Code {
  const [examples, setExamples] = useState<Example[]>([]);
  const [kernels, setKernels] = useState<Kernel[]>([]);
  const [text, setText] = useState("");
  const [binary, setBinary] = useState("");
  const [fault, setFault] = useState("");
  const resting = useRef<ReturnType<typeof setTimeout> | undefined>();
  const told = (e: Error) => setFault(e.message);
  const same = (k: Kernel, kernel: string) => k.name === kernel || k.mangled === kernel;
  const named = (list: Kernel[], kernel: string) => list.find((k) => same(k, kernel)) ?? list.find((k) => kernel !== "" && k.name.includes(kernel)) ?? (list.length === 1 && kernel === "" ? list[0] : undefined);

  useEffect(() => {
    get<Example[]>("/examples").then((all) => {
      const list = all.filter((x) => x.kind === "kernel");
      setExamples(list);
      if (!form.input && list.length) change(formOf(list[0]));
    }).catch(told);
    return () => clearTimeout(resting.current);
  }, []);

  useEffect(() => {
    setKernels([]);
    let left = false;
    if (form.input.startsWith("example:")) {
      setBinary("");
      get<{ text: string }>(`/examples/${encodeURIComponent(form.input.slice(8))}`).then((e) => { if (!left) setText(e.text); }).catch(told);
    } else if (form.input.startsWith("id:")) {
      const id = form.input.slice(3), gpu = form.gpus.split(",")[0];
      if (!text && !binary) setText(sessionStorage.getItem(remembered(id)) ?? "");
      if (gpu) get<Kernel[]>(`/inputs/${id}/kernels?gpu=${gpu}`).then((found) => {
        if (left) return;
        setFault("");
        setKernels(found);
        if (!found.length) return;
        // The kernel and the arguments of the code before are not those of another one.
        const kept = named(found, form.kernel), kernel = kept ?? found[0], args = argumentsFor(kernel, form.args);
        if (!kept || args !== form.args) change({ kernel: kept ? form.kernel : found.length === 1 ? "" : kernel.mangled, args });
      }).catch((e) => { if (!left) told(e); });
    }
    return () => { left = true; };
  }, [form.input]);

  const bring = async (name: string, bytes: BlobPart, kernel: string) => {
    clearTimeout(resting.current);
    try {
      const input = await upload(name, bytes);
      setFault("");
      if (typeof bytes === "string") try { sessionStorage.setItem(remembered(input.id), bytes); } catch { /* full: the text is not there after a reload */ }
      change({ input: `id:${input.id}`, kernel });
    } catch (e) { told(e as Error); }
  };
  return {
    examples, kernels, text, binary, fault,
    choose: (name) => { const found = examples.find((x) => x.name === name); if (found) change({ ...formOf(found), options: form.options }); },
    type: (typed) => { setText(typed); clearTimeout(resting.current); resting.current = setTimeout(() => void bring("pasted", typed, form.kernel), rests); },
    take: (typed) => { setText(typed); void bring("pasted", typed, form.kernel); },
    open: async (file) => {
      const bytes = await file.arrayBuffer(), shown = new TextDecoder().decode(bytes);
      const isText = !shown.slice(0, 200_000).includes("\u0000");
      setText(isText ? shown : "");
      setBinary(isText ? "" : `${file.name}, ${bytes.byteLength} bytes of machine code: the listing shows what was read`);
      await bring(file.name, isText ? shown : bytes, "");
    },
    name: (kernel) => named(kernels, kernel),
  };
}
