// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// CodeMirror as this page uses it: two languages, completion from the tables of calls.ts, one fault at a time. The Tab key
// leaves the editor, as everywhere on the page.
import { autocompletion, closeBrackets, completionKeymap, snippetCompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { Annotation } from "@codemirror/state";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { calls, keys } from "./calls";
import type { Fault } from "./editor";

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

function view(parent: HTMLElement, label: string, language: "lua" | "toml", text: string, change: (text: string) => void): EditorView {
  return new EditorView({
    parent, doc: text,
    extensions: [
      lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), closeBrackets(), highlightActiveLine(), lintGutter(),
      StreamLanguage.define(language === "lua" ? lua : toml), syntaxHighlighting(colours),
      autocompletion({ override: [language === "lua" ? completeLua : completeToml] }),
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

export const setup = { view, replace, mark };
export type Setup = typeof setup;
