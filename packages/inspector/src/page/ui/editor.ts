import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

interface EditorOptions {
  readonly label: string;
  readonly language: "json" | "javascript";
  readonly value: string;
  readonly change: (value: string) => void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--text-key)" },
  { tag: [tags.string, tags.regexp], color: "var(--text-string)" },
  { tag: tags.number, color: "var(--text-number)" },
  { tag: [tags.keyword, tags.bool, tags.null, tags.operatorKeyword], color: "var(--text-word)" },
  { tag: tags.comment, color: "var(--faint)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

const look = EditorView.theme({
  "&": { fontSize: "12px", backgroundColor: "var(--raised)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-content": { fontFamily: "var(--mono)", minHeight: "120px", caretColor: "var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "18px", maxHeight: "60vh", overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--faint)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
});

/** Opens an editor in an element; call the answer to close it. In a shadow root its styles need no exception of the policy. */
export function openEditor(element: HTMLElement, { label, language, value, change }: EditorOptions): () => void {
  const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  const view = new EditorView({
    parent: root,
    root,
    doc: value,
    extensions: [
      lineNumbers(),
      history(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      language === "json" ? json() : javascriptLanguage,
      syntaxHighlighting(colours),
      look,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label }),
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) change(update.state.doc.toString());
      }),
    ],
  });
  return () => view.destroy();
}
