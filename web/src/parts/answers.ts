// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Answers to an order that changes while a hand types or draws: quick ones first, then the whole one, and what was there before.
import { useEffect, useRef, useState } from "preact/hooks";
import { post, type Order, type Result } from "../api";

export type Step = Record<string, unknown>;  // options of one request; those of the order go first
export const closedForm: Step = { fast: true, budget: 0.02 };
/** The closed form first, refined by what the launch asks for. */
export const refined: Step[] = [closedForm, {}];

export interface Answers {
  state: "none" | "asking" | "refining" | "refused" | "answered";  // of the newest order; none: there is no order
  results: Result[];  // the newest that are right, of the newest order or of one before
  order?: Order;      // what they answer
  before: Result[];   // of the same step, to what was there before the last edit
  took: number;       // ms, of all steps
  fault: string;      // of the newest order that the server is through with
}
const none: Answers = { state: "none", results: [], before: [], took: 0, fault: "" };
const oneEdit = 1000;  // ms: changes that follow each other sooner are one edit

/** What is said beside an answer about how it came. */
export const how = ({ state, took }: Answers): string =>
  state === "asking" ? "asking .." : state === "answered" ? `answered in ${took.toFixed(0)} ms` : state === "refining" ? `closed form after ${took.toFixed(0)} ms, refining ..` : "";

/** Asks each new order step by step. One first step at a time: a hand that is quicker than the server sees its last position; the
 * steps behind the first are given up for a newer order. */
export function useAnswers(order: Order | undefined, steps: Step[]): Answers {
  const [answers, setAnswers] = useState<Answers>(none);
  const newest = useRef<Order | undefined>(), asking = useRef(false), stop = useRef(new AbortController()), changed = useRef(0);
  const whole = useRef<Result[][]>([]), before = useRef<Result[][]>([]);  // by step: of the last order with all steps, and of that before the edit

  const ask = async (own: Order) => {
    const begun = performance.now(), found: Result[][] = [];
    stop.current = new AbortController();
    try {
      for (const step of steps) {
        const results = await post<Result[]>("/predict", { ...own, options: { ...step, ...own.options } }, found.length ? stop.current.signal : undefined);
        if (!newest.current || (found.length && newest.current !== own)) return;
        if (results.every((r) => r.error)) throw new Error(results[0]?.error ?? "the server answers nothing");
        found.push(results);
        if (found.length === steps.length) whole.current = found;
        const state = newest.current !== own ? "asking" : found.length < steps.length ? "refining" : "answered";
        setAnswers({ state, results, order: own, before: before.current[found.length - 1] ?? [], took: performance.now() - begun, fault: "" });
        if (newest.current !== own) return;
      }
    } catch (e) {
      // The refusal of an order that is no more says nothing of the newest.
      if (newest.current === own) setAnswers((last) => ({ ...last, state: "refused", fault: (e as Error).message }));
    }
  };
  const follow = async () => {
    if (asking.current) return;
    asking.current = true;
    for (let done: Order | undefined; newest.current && newest.current !== done;) await ask((done = newest.current));
    asking.current = false;
  };
  useEffect(() => {
    const now = performance.now();
    if (now - changed.current > oneEdit) before.current = whole.current;
    changed.current = now;
    newest.current = order;
    stop.current.abort();
    setAnswers((last) => (order ? { ...last, state: "asking" } : { ...last, state: "none", fault: "" }));
    void follow();
  }, [JSON.stringify(order)]);
  useEffect(() => () => { newest.current = undefined; stop.current.abort(); }, []);
  return answers;
}
