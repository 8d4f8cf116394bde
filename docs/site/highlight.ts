import { createCssVariablesTheme, createHighlighter } from 'shiki';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { html, type Html } from '#lib/html.ts';

/** Languages of code in the documentation, by every name that a page may use. */
const LANGUAGES = {
  sh: 'shellscript',
  console: 'shellsession',
  ts: 'typescript',
  js: 'javascript',
  python: 'python',
  php: 'php',
  go: 'go',
  json: 'json',
  yaml: 'yaml',
  html: 'html',
  http: 'http',
  ini: 'ini',
  nginx: 'nginx',
  sql: 'sql',
  diff: 'diff',
} as const;

const PREFIX = 'var(--code-';
const theme = createCssVariablesTheme({ name: 'frontdesk', variablePrefix: '--code-' });
const highlighter = await createHighlighter({
  themes: [theme],
  langs: Object.values(LANGUAGES),
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

/**
 * Returns code with a class for each kind of token: our policy allows no style attributes. Code in a
 * language that is not listed stays plain. PHP needs no `<?php` to be recognised.
 */
export function highlight(code: string, language: string): Html {
  const lang = LANGUAGES[language as keyof typeof LANGUAGES];
  if (!lang) {
    return html`${code}`;
  }
  const { tokens } = highlighter.codeToTokens(code, {
    lang,
    theme: 'frontdesk',
    // By default a line is given up after 500 ms, so a busy machine would build another page.
    tokenizeTimeLimit: 0,
  });
  const lines = tokens.map((line) => {
    const merged: { kind: string | undefined; content: string }[] = [];
    for (const { content, color } of line) {
      const kind = kindOf(color);
      const last = merged.at(-1);
      if (last && (last.kind === kind || content.trim() === '')) {
        last.content += content;
      } else {
        merged.push({ kind, content });
      }
    }
    return merged.map(({ kind, content }) =>
      kind ? html`<span class="t-${kind}">${content}</span>` : html`${content}`,
    );
  });
  return html`${lines.map((line, index) => [index > 0 && '\n', ...line])}`;
}

/** `var(--code-token-string)` as `string`; undefined for ordinary text. */
function kindOf(color: string | undefined): string | undefined {
  const name = color?.startsWith(PREFIX) ? color.slice(PREFIX.length, -1) : '';
  return name.startsWith('token-') ? name.slice('token-'.length) : undefined;
}
