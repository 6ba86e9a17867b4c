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
  results: Result[];
  order?: Order;      // what they answer
  before: Result[];   // the last whole answers to what was there before the last edit
  fresh: boolean;     // they are of the newest order
  settled: boolean;   // no better answer is on its way
  took: number;       // ms, of all steps
  fault: string;
}
const none: Answers = { results: [], before: [], fresh: true, settled: true, took: 0, fault: "" };
const oneEdit = 1000;  // ms: changes that follow each other sooner are one edit

/** What is said beside an answer about how it came. */
export const how = ({ results, fresh, settled, took }: Answers): string => {
  if (!fresh) return "asking ..";
  if (!results.length) return "";
  return settled ? `answered in ${took.toFixed(0)} ms` : `closed form after ${took.toFixed(0)} ms, refining ..`;
};

/** Asks each new order step by step. One first step at a time: a hand that is quicker than the server sees its last position; the
 * steps behind the first are given up for a newer order. */
export function useAnswers(order: Order | undefined, steps: Step[]): Answers {
  const [answers, setAnswers] = useState<Answers>(none);
  const wanted = useRef<Order | undefined>(), asking = useRef(false), stop = useRef(new AbortController()), changed = useRef(0);

  const follow = async () => {
    if (asking.current) return;
    asking.current = true;
    while (wanted.current) {
      const own = wanted.current, begun = performance.now();
      wanted.current = undefined;
      stop.current = new AbortController();
      try {
        for (const [i, step] of steps.entries()) {
          const results = await post<Result[]>("/predict", { ...own, options: { ...step, ...own.options } }, i === 0 ? undefined : stop.current.signal);
          if (wanted.current && i > 0) break;
          setAnswers((last) => ({ ...last, results, order: own, fresh: !wanted.current, settled: i + 1 === steps.length && !wanted.current, took: performance.now() - begun, fault: "" }));
          if (wanted.current) break;
        }
      } catch (e) {
        if ((e as Error).name !== "AbortError") setAnswers((last) => ({ ...last, fresh: true, settled: true, fault: (e as Error).message }));
      }
    }
    asking.current = false;
  };
  useEffect(() => {
    if (!order) return;
    const now = performance.now(), rested = now - changed.current > oneEdit;
    changed.current = now;
    setAnswers((last) => ({ ...last, fresh: false, settled: false, before: rested && last.settled && !last.fault ? last.results : last.before }));
    wanted.current = order;
    stop.current.abort();
    void follow();
  }, [JSON.stringify(order)]);
  useEffect(() => () => { wanted.current = undefined; stop.current.abort(); }, []);
  return answers;
}
