import type { Document } from '#kit/endpoint.ts';
import type { Fault } from '#kit/fault.ts';
import { html } from '#kit/html.ts';
import { pageOf } from './layout.ts';
import { tongueOf } from './tongue.ts';
import type { Words } from './words.en.ts';

/** What a person is told, by status. */
function saidOf(status: number, words: Words): readonly [title: string, lead: string] {
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
  const tongue = tongueOf(locale);
  const [title, lead] = saidOf(status, tongue.words);
  const main = html`<main class="card narrow error" id="page">
    <h1>${title}</h1>
    <p class="lead">${lead}</p>
  </main>`;
  return pageOf({ tongue, title, main, isPrivate: true });
}
