import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { html, type Html } from '#lib/html.ts';
import { buildDocsScript, buildDocsStyle, buildDocsTheme } from '../../web/build.ts';
import { SITE, slugOf, type SitePage } from '../site.ts';
import { homePage } from './home.ts';
import { sitePage, type NavGroup, type NavLink, type SiteView } from './layout.ts';
import { llmsFull, llmsIndex } from './llms.ts';
import { withCheckoutPaths } from './checkout-paths.ts';
import { renderMarkdown, type RenderedPage, type Section } from './markdown.ts';
import { referenceTags, type Tag } from './reference/operation.ts';
import { referenceMarkdown } from './reference/reference-markdown.ts';
import { operationHeadings, referencePage, tagAddress } from './reference/reference-page.ts';
import { searchRecords } from './search-records.ts';

const DOCS = join(import.meta.dirname, '..');
/** Images of pages: the site has no folders, so they lie beside the pages. */
const IMAGES = readdirSync(join(DOCS, 'images'));

/** A page before it has its frame. */
interface Source extends NavLink {
  readonly group: string;
  readonly description: string;
  readonly markdown: string;
  readonly view: Pick<SiteView, 'body' | 'headings' | 'isReference'>;
  readonly sections: readonly Section[];
}

/** Returns the files of the site by their names below `/docs/`. The same sources give the same bytes. */
export async function buildSite(): Promise<ReadonlyMap<string, string | Uint8Array>> {
  const groups = await sourceGroups();
  const navigation: NavGroup[] = groups.map(({ title, sources }) => ({
    title,
    links: sources.map(({ to, title: name, links }) => ({
      to,
      title: name,
      ...(links && { links }),
    })),
  }));
  const all = groups.flatMap(({ sources }) => sources);
  const files = new Map<string, string | Uint8Array>([
    ['index.html', sitePage(home(all[0]), navigation)],
    ['index.md', llmsIndex(groups, '')],
    ['llms.txt', llmsIndex(groups, 'docs/')],
    [
      'llms-full.txt',
      llmsFull(all.map((one) => ({ ...one, markdown: withImages(one.markdown, 'docs/') }))),
    ],
    ['search.json', JSON.stringify(searchRecords(all))],
    ['icon.svg', await readFile(join(DOCS, '../web/docs/icon.svg'))],
    ['site.css', await buildDocsStyle()],
    ['site.js', await buildDocsScript()],
    ['theme.js', await buildDocsTheme()],
  ]);
  for (const image of IMAGES) {
    files.set(image, await readFile(join(DOCS, 'images', image)));
  }
  for (const [at, source] of all.entries()) {
    const { to, title, description, view, markdown } = source;
    const neighbours = { previous: all[at - 1], next: all[at + 1] };
    files.set(
      `${to}.html`,
      sitePage({ to, title, description, ...view, ...neighbours }, navigation),
    );
    files.set(`${to}.md`, withImages(markdown, ''));
  }
  return files;
}

/** Markdown with the images where the site has them: in `base`, not in a folder of their own. */
const withImages = (markdown: string, base: string): string =>
  markdown.replaceAll(/(!\[[^\]]*\]\()images\/(?=[\w-]+\.\w+\))/g, `$1${base}`);

/** The pages of each group; the reference follows the first page of the group that has it. */
async function sourceGroups() {
  const groups = [];
  for (const { title, pages, hasReference } of SITE) {
    const sources: Source[] = [];
    for (const page of pages) {
      sources.push(await guideSource(page, title));
      if (hasReference && sources.length === 1) {
        sources.push(...referenceTags().map((tag) => referenceSource(tag, title)));
      }
    }
    groups.push({ title, sources });
  }
  return groups;
}

async function guideSource(page: SitePage, group: string): Promise<Source> {
  const source = await readFile(join(DOCS, page.file), 'utf8');
  const markdown = withCheckoutPaths(source, (href) => resolveLink(href) !== undefined);
  const { body, headings, sections }: RenderedPage = renderMarkdown(markdown, resolveLink);
  const description = /^(?!#)\S.*/m
    .exec(markdown)?.[0]
    .replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1');
  return {
    to: slugOf(page),
    title: page.title,
    group,
    description: description ?? page.title,
    markdown,
    view: { body, headings },
    sections,
  };
}

function referenceSource(tag: Tag, group: string): Source {
  const markdown = referenceMarkdown(tag);
  const to = tagAddress(tag);
  return {
    to,
    title: tag.title,
    group,
    description: tag.description,
    markdown,
    view: {
      body: referencePage(tag, resolveLink),
      headings: operationHeadings(tag),
      isReference: true,
    },
    sections: tag.operations.map(({ summary, anchor, method, path, description, id }) => ({
      level: 2,
      text: summary,
      slug: anchor,
      body: `${method} ${path} ${description.replaceAll(/[`*\n]+/g, ' ')} ${id}`,
    })),
    links: tag.operations.map(({ summary, anchor, method }) => ({
      to: `${to}#${anchor}`,
      title: summary,
      method,
    })),
  };
}

const files = new Set<string>(SITE.flatMap(({ pages }) => pages.map(({ file }) => file)));

/** `api.md#limits` as `api#limits`. Files that the site does not serve have no link. */
function resolveLink(href: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) {
    return href;
  }
  if (dirname(href) === 'images' && IMAGES.includes(basename(href))) {
    return basename(href);
  }
  const [file = '', anchor] = href.split('#');
  return files.has(file)
    ? `${file.slice(0, -'.md'.length)}${anchor ? `#${anchor}` : ''}`
    : undefined;
}

function home(first: NavLink | undefined): SiteView {
  const body: Html = html`${homePage()}`;
  return {
    to: '',
    title: 'Documentation',
    description: 'Guides and API reference of Frontdesk, a self-hosted CRM behind one REST API.',
    headings: [],
    body,
    next: first,
  };
}
