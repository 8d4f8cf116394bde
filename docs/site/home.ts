import { html, type Html } from '#lib/html.ts';
import { SITE, slugOf } from '../site.ts';

const ABOUT: Readonly<Record<string, string>> = {
  Guides: 'One task each, from the first command to the result.',
  Reference: 'Every endpoint, event, error, command and setting.',
  Concepts: 'What the parts are and how they fit together.',
  Contributing: 'How Frontdesk is built, and why.',
};

/** Returns the body of `/docs`. It lies beside `docs/`, so its links begin with that. */
export const homePage = (): Html =>
  html`<div class="hero">
      <h1>Frontdesk documentation</h1>
      <p class="lead">
        Contacts, conversations, calendars, opportunities, tasks and campaigns behind one REST API,
        on your own server.
      </p>
      <button class="open-search large" type="button">
        <span class="words">Search guides and endpoints</span><kbd aria-hidden="true">/</kbd>
      </button>
    </div>
    ${SITE.map(
      ({ title, pages, hasReference }) =>
        html`<section class="group">
          <h2>${title}</h2>
          <p class="quiet">${ABOUT[title]}</p>
          <ul class="cards">
            ${hasReference && html`<li><a href="docs/api-contacts">API endpoints</a></li>`}
            ${pages.map((page) => html`<li><a href="docs/${slugOf(page)}">${page.title}</a></li>`)}
          </ul>
        </section>`,
    )}`;
