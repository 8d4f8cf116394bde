import { html, markupOf, type Html, type Part } from '#lib/html.ts';
import type { Heading } from './markdown.ts';

/** A line of the navigation. */
export interface NavLink {
  /** The address below `/docs/`; empty for the first page. */
  readonly to: string;
  readonly title: string;
  /** The HTTP method, in the list of endpoints. */
  readonly method?: string;
  /** Shown while one of these pages, or this page, is open. */
  readonly links?: readonly NavLink[];
}

export interface NavGroup {
  readonly title: string;
  readonly links: readonly NavLink[];
}

export interface SiteView {
  readonly to: string;
  readonly title: string;
  readonly description: string;
  readonly headings: readonly Heading[];
  readonly body: Html;
  /** The wide layout of the reference, with code beside the text. */
  readonly isReference?: boolean;
  readonly previous?: NavLink | undefined;
  readonly next?: NavLink | undefined;
}

/** Returns a whole page. Links are relative, so that the site also works below a path of a proxy. */
export function sitePage(view: SiteView, groups: readonly NavGroup[]): string {
  // The first page is `/docs`, beside which `docs/` lies.
  const base = view.to === '' ? 'docs/' : '';
  return compact(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>${view.to === '' ? 'Frontdesk documentation' : `${view.title} · Frontdesk`}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="description" content="${view.description}" />
          <link rel="icon" href="${base}icon.svg" type="image/svg+xml" />
          <link rel="alternate" type="text/markdown" href="${base}${view.to || 'index'}.md" />
          <link rel="stylesheet" href="${base}site.css" />
          <script src="${base}theme.js"></script>
          <script src="${base}site.js" defer></script>
        </head>
        <body data-base="${base}">
          <a class="skip" href="#content">Skip to content</a>
          ${topBar(base)}
          <div class="${view.isReference ? 'columns wide' : 'columns'}">
            <nav class="side" id="navigation" aria-label="Documentation">
              ${groups.map((group) => navGroup(group, view.to, base))}
            </nav>
            <main id="content" tabindex="-1">
              <article>${view.body}</article>
              ${footer(view, base)}
            </main>
            ${!view.isReference && outline(view.headings)}
          </div>
        </body>
      </html>`,
  );
}

/** Drops the indentation of templates, which is a tenth of a page; code keeps its own. */
const compact = (page: Html): string =>
  markupOf(page)
    .split(/(<pre.*?<\/pre>)/s)
    .map((part, at) => (at % 2 === 0 ? part.replaceAll(/\s+/g, ' ') : part))
    .join('');

const topBar = (base: string): Html =>
  html`<header class="top">
    <button class="menu" type="button" aria-expanded="false" aria-controls="navigation">
      <span class="bars" aria-hidden="true"></span><span class="hidden">Navigation</span>
    </button>
    <a class="brand" href="${base === '' ? '../docs' : 'docs'}">
      <span class="mark" aria-hidden="true"></span>Frontdesk <span class="quiet">docs</span>
    </a>
    <button class="open-search" type="button" aria-keyshortcuts="/ Control+K">
      <span class="words">Search</span><kbd aria-hidden="true">/</kbd>
    </button>
    <button class="theme" type="button" aria-label="Use dark colors"></button>
  </header>`;

function navGroup({ title, links }: NavGroup, current: string, base: string): Html {
  const id = `group-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
  return html`<h2 id="${id}">${title}</h2>
    <ul aria-labelledby="${id}">
      ${links.map((link) => navLink(link, current, base))}
    </ul>`;
}

function navLink(link: NavLink, current: string, base: string): Part {
  const { to, title, method, links } = link;
  const href = to === '' ? (base === '' ? '../docs' : 'docs') : base + to;
  const here = to === current && html` aria-current="page"`;
  const badge = method && html`<span class="method ${method.toLowerCase()}">${method}</span>`;
  const isOpen = links && current === to;
  return html`<li>
    <a href="${href}" ${here}>${badge && html`${badge} `}<span>${title}</span></a>
    ${
      isOpen &&
      html`<ul>
        ${links.map((below) => navLink(below, current, base))}
      </ul>`
    }
  </li>`;
}

const FEW = 2;

/** The headings of the page, beside it. */
function outline(headings: readonly Heading[]): Part {
  const shown = headings.filter(({ level }) => level === 2);
  return (
    shown.length >= FEW &&
    html`<nav class="outline" aria-labelledby="outline">
      <h2 id="outline">On this page</h2>
      <ul>
        ${shown.map(({ text, slug }) => html`<li><a href="#${slug}">${text}</a></li>`)}
      </ul>
    </nav>`
  );
}

const footer = ({ to, previous, next }: SiteView, base: string): Html =>
  html`<footer>
    <div class="neighbours">
      ${previous && neighbour(previous, 'Previous', base)} ${next && neighbour(next, 'Next', base)}
    </div>
    <p class="quiet">
      <a href="${base}${to || 'index'}.md">This page as Markdown</a>
      <a href="${base === '' ? '../' : ''}llms.txt">llms.txt</a>
      <a href="${base === '' ? '../' : ''}openapi.json">OpenAPI document</a>
    </p>
  </footer>`;

const neighbour = ({ to, title }: NavLink, label: string, base: string): Html =>
  html`<a class="${label.toLowerCase()}" href="${to === '' ? '../docs' : base + to}">
    <span class="quiet">${label}</span>${title}
  </a>`;
