// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CodeMirror as this page uses it: scripts and systems with completion from the tables of calls.ts, code with the heat of its
// lines, one fault at a time. The Tab key leaves the editor, as everywhere on the page.
import { autocompletion, closeBrackets, completionKeymap, snippetCompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { cpp } from "@codemirror/legacy-modes/mode/clike";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { Annotation, Compartment, RangeSet, StateEffect, StateField, type Extension } from "@codemirror/state";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, keymap, lineNumbers, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { percent } from "../format";
import { calls, keys } from "./calls";
import type { Fault, Heat, Language } from "./editor";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword], color: "var(--series-4)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--series-3)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--series-2)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.propertyName, tags.standard(tags.variableName), tags.heading], color: "var(--accent)" },
]);

function completeLua(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/sim\.\w*/);
  if (!word) return null;
  return { from: word.from + "sim.".length, validFor: /^\w*$/, options: calls.map((c) => snippetCompletion(c.form, { label: c.name, detail: c.help, type: "function" })) };
}

function completeToml(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/^\s*\[{0,2}\w+/);
  if (!word && !context.explicit) return null;
  const from = word ? word.from + word.text.search(/\S/) : context.pos;
  return { from, options: keys.map((k) => snippetCompletion(k.form, { label: k.form.startsWith("[") ? k.form : k.name, detail: k.help, type: "keyword" })) };
}

/** Listings of machine code and PTX: comments, directives, opcodes, registers, numbers. */
const listing = StreamLanguage.define<{ opcode: boolean }>({
  name: "listing",
  startState: () => ({ opcode: true }),
  token(stream, state) {
    if (stream.sol()) state.opcode = true;
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\*.*?\*\//)) return "comment";
    if (stream.match("//")) { stream.skipToEnd(); return "comment"; }
    if (stream.match(/^\.[\w.]+:?/)) return "propertyName";
    if (stream.match(/^@!?%?\w+/)) return "string";
    if (stream.match(/^(%\w+|U?[RP]\d+|[RP]Z|PT|SR_[\w.]+)\b/)) return "atom";
    if (stream.match(/^-?(0x[0-9a-fA-F]+|\d[\d.e+-]*)/)) return "number";
    if (state.opcode && stream.match(/^[A-Za-z][\w.]*/)) { state.opcode = false; return "keyword"; }
    if (!stream.match(/^\w+/)) stream.next();
    return null;
  },
});

const languages: Record<Language, () => Extension> = {
  lua: () => [StreamLanguage.define(lua), autocompletion({ override: [completeLua] })],
  toml: () => [StreamLanguage.define(toml), autocompletion({ override: [completeToml] })],
  cuda: () => StreamLanguage.define(cpp),
  listing: () => listing,
};

class Share extends GutterMarker {
  constructor(readonly share: number) { super(); }
  eq(other: Share): boolean { return other.share === this.share; }
  toDOM(): Text { return document.createTextNode(percent(this.share)); }
}
interface Warmth { lines: DecorationSet; shares: RangeSet<GutterMarker> }
const cold: Warmth = { lines: Decoration.none, shares: RangeSet.empty };
const warm = StateEffect.define<Heat>();
const warmth = StateField.define<Warmth>({
  create: () => cold,
  update(now, transaction) {
    let next = transaction.docChanged ? { lines: now.lines.map(transaction.changes), shares: now.shares.map(transaction.changes) } : now;
    for (const effect of transaction.effects) {
      if (!effect.is(warm)) continue;
      const { shares, pointed } = effect.value, lines = transaction.state.doc.lines;
      const most = Math.max(...shares.values(), 1e-9), share = (n: number): number => (shares.get(n) ?? 0) / most;
      const there = [...new Set([...shares.keys(), ...pointed])].filter((n) => n >= 1 && n <= lines).sort((a, b) => a - b);
      next = {
        lines: Decoration.set(there.map((n) => Decoration.line({
          attributes: { style: `--heat: ${share(n).toFixed(3)}`, class: `warm ${share(n) > 0.1 ? "hot" : ""} ${pointed.includes(n) ? "pointed" : ""}` },
        }).range(transaction.state.doc.line(n).from))),
        shares: RangeSet.of(there.filter((n) => (shares.get(n) ?? 0) >= 0.0005).map((n) => new Share(shares.get(n)!).range(transaction.state.doc.line(n).from))),
      };
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field, (now) => now.lines),
});

export interface Wishes { label: string; language: Language; text: string; change: (text: string) => void; over?: (line: number) => void }
const spoken = new Compartment();

function view(parent: HTMLElement, { label, language, text, change, over }: Wishes): EditorView {
  const heat: Extension = over ? [
    warmth, gutter({ class: "cm-shares", markers: (editor) => editor.state.field(warmth).shares, initialSpacer: () => new Share(1) }),
    EditorView.domEventHandlers({
      mousemove(event, editor) { const at = editor.posAtCoords(event); over(at === null ? 0 : editor.state.doc.lineAt(at).number); },
      mouseleave() { over(0); },
    }),
  ] : [];
  return new EditorView({
    parent, doc: text,
    extensions: [
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), lintGutter(), heat,
      spoken.of(languages[language]()), syntaxHighlighting(colours),
      keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      EditorView.updateListener.of((update) => { if (update.docChanged && !update.transactions.some((t) => t.annotation(fromOutside))) change(update.state.doc.toString()); }),
    ],
  });
}

/** A change that the page made, not a hand. */
const fromOutside = Annotation.define<boolean>();

function replace(editor: EditorView, text: string): void {
  if (editor.state.doc.toString() !== text) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text }, annotations: fromOutside.of(true) });
}

function mark(editor: EditorView, fault: Fault | undefined): void {
  const line = fault && fault.line >= 1 && fault.line <= editor.state.doc.lines ? editor.state.doc.line(fault.line) : undefined;
  editor.dispatch(setDiagnostics(editor.state, line && fault ? [{ from: line.from, to: line.to, severity: "error", message: fault.text }] : []));
}

const heat = (editor: EditorView, now: Heat): void => editor.dispatch({ effects: warm.of(now) });
const speak = (editor: EditorView, language: Language): void => editor.dispatch({ effects: spoken.reconfigure(languages[language]()) });

export const setup = { view, replace, mark, heat, speak };
export type Setup = typeof setup;
