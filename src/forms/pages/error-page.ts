import type { Document } from '#core/endpoint/reply.ts';
import type { Fault } from '#core/fault.ts';
import { html } from '#lib/html.ts';
import { pageOf } from './layout.ts';
import { localeOf } from './locale.ts';
import type { Messages } from './messages.en.ts';

const SAYS: Readonly<Record<number, keyof Messages>> = {
  404: 'notFound',
  415: 'noFiles',
  429: 'tooMany',
  500: 'unavailable',
  503: 'unavailable',
};

/** A refusal for people. Whose page it would be is not known here: it speaks as their browser does. */
export function errorPage({ status }: Fault, locale: string): Document {
  const pageLocale = localeOf(locale);
  const { words } = pageLocale;
  const name = SAYS[status] ?? 'badRequest';
  const lead = words[`${name}Lead` as keyof Messages] as string;
  const main = html`<p class="lead">${lead}</p>`;
  return pageOf({ pageLocale, title: words[name] as string, main });
}
