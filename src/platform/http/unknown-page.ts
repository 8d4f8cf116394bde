import type { Document } from '#core/endpoint/reply.ts';
import { messagePage } from '#lib/page.ts';
import { languagesOf } from '#lib/page-parts.ts';

interface Messages {
  readonly title: string;
  readonly lead: string;
}

const languageOf = languagesOf<Messages>({
  en: { title: 'This page does not exist', lead: 'The link may be incomplete.' },
  de: { title: 'Diese Seite gibt es nicht', lead: 'Möglicherweise ist der Link unvollständig.' },
  es: { title: 'Esta página no existe', lead: 'Es posible que el enlace esté incompleto.' },
  fr: { title: 'Cette page n’existe pas', lead: 'Le lien est peut-être incomplet.' },
});

/** Whether a browser opened the path: programs do not ask for HTML, and below `/api` they get JSON. */
export const isForPeople = (method: string, path: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  path !== '/api' &&
  !path.startsWith('/api/') &&
  accept !== undefined &&
  accept.includes('text/html');

/** Returns the page of an unknown path, in the browser's language. */
export function unknownPage(locale: string): Document {
  const language = languageOf(locale);
  return messagePage({ lang: language.locale, ...language.messages });
}
