import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { html } from '#lib/html.ts';
import { pageOf } from './layout.ts';
import { localeOf } from './messages/locale.ts';
import type { Messages } from './messages/en.ts';

/** What a person is told, by status. */
function saidOf(status: number, words: Messages): readonly [title: string, lead: string] {
  switch (status) {
    case 404:
      return [words.notFound, words.notFoundLead];
    case 429:
      return [words.tooMany, words.tooManyLead];
    case 500:
    case 503:
      return [words.unavailable, words.unavailableLead];
    default:
      return [words.badRequest, words.badRequestLead];
  }
}

/** A refusal for people. Whose page it would be is not known here: it speaks as their browser does. */
export function errorPage({ status }: Fault, locale: string): Document {
  const pageLocale = localeOf(locale);
  const [title, lead] = saidOf(status, pageLocale.words);
  const main = html`<main class="card narrow error" id="page">
    <h1>${title}</h1>
    <p class="lead">${lead}</p>
  </main>`;
  return pageOf({ pageLocale, title, main, isPrivate: true });
}
