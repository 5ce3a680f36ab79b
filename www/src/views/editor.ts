// CodeMirror for scenarios. Loaded only when the user edits.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** A validation error with its line and column, from 1. */
export interface TextError {
  line: number;
  column: number;
  message: string;
}

export interface Editor {
  setText(text: string): void;
  showError(error: TextError | undefined): void;
  focus(): void;
  destroy(): void;
}

// Colours are the page's: custom properties reach into the shadow root.
const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--raised)', color: 'var(--ink)', fontSize: 'var(--small)', height: '100%' },
  '&.cm-focused': { outline: '3px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--line) 30%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--focus) 28%, transparent)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--ink)', border: '1px solid var(--line-strong)' },
  '.cm-diagnostic': { color: 'var(--ink)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
});

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--owner-0)' },
  { tag: tags.string, color: 'var(--owner-3)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--owner-1)' },
]);

export function createEditor(host: HTMLElement, text: string, onEdit: (text: string) => void): Editor {
  // In a shadow root the styles are constructed sheets, which the page's policy allows.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  let isOurs = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        json(),
        syntaxHighlighting(highlighting),
        theme,
        EditorView.lineWrapping,
        // Tab is left alone: who goes through the page by keys must get out again.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': 'Scenario, as JSON', tabindex: '0' }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isOurs) onEdit(state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText(next) {
      if (next === view.state.doc.toString()) return;
      isOurs = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
      isOurs = false;
    },
    showError(error) {
      const { doc } = view.state;
      if (error === undefined) {
        view.dispatch(setDiagnostics(view.state, []));
        return;
      }
      const line = doc.line(Math.min(Math.max(error.line, 1), doc.lines));
      const from = Math.min(line.from + Math.max(error.column - 1, 0), line.to);
      const to = Math.max(from, Math.min(from + 1, line.to));
      view.dispatch(setDiagnostics(view.state, [{ from, to, severity: 'error', message: error.message }]));
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
