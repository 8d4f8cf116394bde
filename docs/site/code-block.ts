import { html, type Html } from '#lib/html.ts';
import { highlight } from './highlight.ts';

/** What a reader calls a language. */
const LABELS: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  html: 'HTML',
  json: 'JSON',
  yaml: 'YAML',
};

export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** Code that scrolls sideways can be reached with the keyboard. The script adds a copy button. */
export const codeBlock = ({ language, code }: CodeBlock): Html =>
  html`<div class="code">
    <pre tabindex="0"><code>${highlight(code, language)}</code></pre>
  </div>`;

/** The same in several languages. Without the script all of them show, each under its name. */
export const codeTabs = (blocks: readonly CodeBlock[]): Html =>
  html`<div class="tabs">
    ${blocks.map(
      (block) =>
        html`<section data-language="${LABELS[block.language] ?? block.language}">
          <p class="language">${LABELS[block.language] ?? block.language}</p>
          ${codeBlock(block)}
        </section>`,
    )}
  </div>`;
