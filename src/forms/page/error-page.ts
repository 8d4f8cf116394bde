import type { Document } from '#kit/endpoint.ts';
import type { Fault } from '#kit/fault.ts';
import { html } from '#kit/html.ts';
import { pageOf } from './layout.ts';
import { tongueOf } from './tongue.ts';
import type { Words } from './words.en.ts';

const SAYS: Readonly<Record<number, keyof Words>> = {
  404: 'notFound',
  415: 'noFiles',
  429: 'tooMany',
  500: 'unavailable',
  503: 'unavailable',
};

/** A refusal for people. Whose page it would be is not known here: it speaks as their browser does. */
export function errorPage({ status }: Fault, locale: string): Document {
  const tongue = tongueOf(locale);
  const { words } = tongue;
  const name = SAYS[status] ?? 'badRequest';
  const lead = words[`${name}Lead` as keyof Words] as string;
  const main = html`<p class="lead">${lead}</p>`;
  return pageOf({ tongue, title: words[name] as string, main });
}
