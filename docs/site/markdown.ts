import markdownIt, { type Token } from 'markdown-it';
import { html, markupOf, type Html } from '#lib/html.ts';
import { codeBlock, codeTabs, type CodeBlock } from './code-block.ts';

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly slug: string;
}

/** The text below a heading, up to the next one: what search finds. */
export interface Section extends Heading {
  readonly body: string;
}

export interface RenderedPage {
  readonly body: Html;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Returns the address of a link's target, or undefined if the site does not serve it. */
export type ResolveLink = (href: string) => string | undefined;

const markdown = markdownIt({ html: false, linkify: false });
const { rules } = markdown.renderer;

/** Renders GitHub's Markdown: anchors, callouts, tables that scroll, highlighted code. */
export function renderMarkdown(source: string, resolve: ResolveLink): RenderedPage {
  const tokens = groupTabs(markdown.parse(source, {}));
  const headings = addAnchors(tokens);
  resolveLinks(tokens, resolve);
  return {
    body: trusted(markdown.renderer.render(tokens, markdown.options, {})),
    headings,
    sections: sectionsOf(tokens, headings),
  };
}

/** Markup that was escaped elsewhere. */
const trusted = (markup: string): Html => html([markup] as unknown as TemplateStringsArray);

/** Adjacent fences whose info string contains `tab`, as in "```ts tab", become one group. */
function groupTabs(tokens: readonly Token[]): Token[] {
  const shown: Token[] = [];
  for (const token of tokens) {
    if (token.type !== 'fence') {
      shown.push(token);
      continue;
    }
    const group = isTab(token) ? shown.at(-1)?.meta?.['tabs'] : undefined;
    if (Array.isArray(group)) {
      group.push(blockOf(token));
    } else {
      const blocks = [blockOf(token)];
      token.meta = isTab(token) ? { tabs: blocks } : { blocks };
      shown.push(token);
    }
  }
  return shown;
}

const isTab = ({ info }: Token): boolean => info.trim().split(/\s+/).includes('tab');

const blockOf = ({ info, content }: Token): CodeBlock => ({
  language: info.trim().split(/\s+/)[0] ?? '',
  code: content.replace(/\n$/, ''),
});

rules.fence = (tokens, index) => {
  const meta = tokens[index]?.meta;
  const blocks = (meta?.['tabs'] ?? meta?.['blocks']) as readonly CodeBlock[];
  const [only] = blocks;
  return markupOf(blocks.length === 1 && only ? codeBlock(only) : codeTabs(blocks));
};

const textOf = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map((child) => {
      const isBreak = child.type === 'softbreak' || child.type === 'hardbreak';
      return isBreak ? ' ' : child.children ? textOf(child) : child.content;
    })
    .join('');

/** Gives every heading its anchor; a second heading of the same name gets a number. */
function addAnchors(tokens: readonly Token[]): Heading[] {
  const counts = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') {
      return [];
    }
    const text = textOf(tokens[index + 1]);
    const base = anchorOf(text);
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    const slug = count === 0 ? base : `${base}-${count}`;
    token.attrSet('id', slug);
    return [{ level: Number(token.tag.slice(1)), text, slug }];
  });
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

rules.heading_close = (tokens, index) => {
  const opening = tokens.slice(0, index).findLast(({ type }) => type === 'heading_open');
  const { tag = 'h1' } = opening ?? {};
  return `${tag === 'h1' ? '' : markupOf(anchorLink(String(opening?.attrGet('id'))))}</${tag}>\n`;
};

export const anchorLink = (slug: string): Html =>
  html` <a class="anchor" href="#${slug}" aria-label="Link to this section">#</a>`;

function resolveLinks(tokens: readonly Token[], resolve: ResolveLink): void {
  for (const token of tokens) {
    resolveLinks(token.children ?? [], resolve);
    if (token.type === 'image') {
      const from = String(token.attrGet('src'));
      token.attrSet('src', resolve(from) ?? from);
    }
    if (token.type === 'link_open') {
      const to = resolve(String(token.attrGet('href')));
      if (to === undefined) {
        unlink(tokens, token);
      } else {
        token.attrSet('href', to);
      }
    }
  }
}

/** Shows the text of a link without the link. */
function unlink(tokens: readonly Token[], opening: Token): void {
  const closing = tokens
    .slice(tokens.indexOf(opening))
    .find(({ type, level }) => type === 'link_close' && level === opening.level);
  for (const token of [opening, closing]) {
    if (token) {
      token.type = 'text';
      token.content = '';
    }
  }
}

rules.table_open = () => '<div class="table"><table>\n';
rules.table_close = () => '</table></div>\n';

const CALLOUT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/** A quote is a callout. GitHub's `[!WARNING]` names its kind; without one it is a note. */
markdown.core.ruler.push('callouts', ({ tokens }) => {
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'blockquote_open') {
      const first = tokens[index + 2]?.children?.[0];
      const kind = CALLOUT.exec(first?.content ?? '')?.[1]?.toLowerCase();
      if (first && kind) {
        token.meta = { kind };
        first.content = first.content.replace(CALLOUT, '');
      }
    }
  }
});

rules.blockquote_open = (tokens, index) => {
  const kind = tokens[index]?.meta?.['kind'] as string | undefined;
  const title = kind && html`<p class="callout-title">${kind}</p>`;
  return `<div class="callout ${kind ?? 'note'}" role="note">${markupOf(title)}\n`;
};
rules.blockquote_close = () => '</div>\n';

/** The text of every section, in the order of the page. */
function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const parts: string[][] = [];
  let isHeading = false;
  for (const token of tokens) {
    const { type, content } = token;
    if (type === 'heading_open') {
      parts.push([]);
    }
    isHeading = type === 'heading_open' || (isHeading && type !== 'heading_close');
    if (!isHeading && type !== 'heading_close') {
      parts.at(-1)?.push(type === 'inline' ? textOf(token) : content);
    }
  }
  return headings.map((heading, at) => ({
    ...heading,
    body: (parts[at] ?? []).filter(Boolean).join(' ').replaceAll(/\s+/g, ' ').trim(),
  }));
}
