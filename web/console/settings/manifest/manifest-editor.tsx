import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, linter, lintKeymap, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import schema from '../../../../config/manifest.schema.json' with { type: 'json' };
import { completeManifest } from './complete-manifest.ts';
import type { SourceIssue } from './manifest-queries.ts';
import styles from './manifest.module.css';

interface ManifestEditorProps {
  readonly label: string;
  /** The text at the beginning; a new `key` of the component begins with another. */
  readonly source: string;
  readonly onChange: (source: string) => void;
  /** Returns the issues of a text, some time after it was typed. */
  readonly check: (source: string) => Promise<readonly SourceIssue[]>;
  /** Where to put the cursor. */
  readonly target: Pick<SourceIssue, 'line' | 'column'> | undefined;
}

/** How long the text rests before it is checked. */
const CHECK_DELAY_MS = 700;

/**
 * An editor for YAML. It lives in a shadow tree: only there does it use constructed style sheets, which
 * the content security policy allows.
 */
export function ManifestEditor(props: ManifestEditorProps) {
  const { label, source, target } = props;
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const initial = useRef(source);
  useEffect(() => {
    const place = host.current;
    if (!place) {
      return undefined;
    }
    const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' });
    const view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          ...FEATURES,
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          linter(
            async ({ state }) =>
              diagnosticsOf(state, await latest.current.check(String(state.doc))),
            {
              delay: CHECK_DELAY_MS,
            },
          ),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) {
              latest.current.onChange(String(state.doc));
            }
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, [label]);
  useEffect(() => {
    const view = editor.current;
    if (view && target) {
      const anchor = offsetOf(view.state, target);
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    }
  }, [target]);
  return <div ref={host} className={styles.editor} />;
}

function offsetOf(
  { doc }: EditorState,
  { line, column }: Pick<SourceIssue, 'line' | 'column'>,
): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + Math.max(column, 1) - 1, to);
}

const diagnosticsOf = (state: EditorState, issues: readonly SourceIssue[]): Diagnostic[] =>
  issues.map((issue) => {
    const from = offsetOf(state, issue);
    return {
      from,
      to: state.doc.lineAt(from).to,
      severity: 'error',
      message: `${issue.path} ${issue.message}`.trim(),
    };
  });

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent-text)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--text-faint)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--text-quiet)' },
]);

const THEME = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'var(--focus-ring)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: 'var(--size-small)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--text-strong)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--text-quiet)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected) !important',
  },
  '.cm-cursor': { borderLeftColor: 'var(--text-strong)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--selected)',
    color: 'var(--text-strong)',
  },
  '.cm-completionInfo': { maxWidth: '20rem', padding: 'var(--space-2)' },
});

const FEATURES = [
  lineNumbers(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  lintGutter(),
  yaml(),
  indentUnit.of('  '),
  EditorView.lineWrapping,
  syntaxHighlighting(COLOURS),
  THEME,
  autocompletion({ override: [completeManifest(schema)] }),
  // Tab stays the key that leaves the editor.
  keymap.of([
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
];
