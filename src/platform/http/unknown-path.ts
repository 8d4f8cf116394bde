import type { Document } from '#core/endpoint/reply.ts';
import { messagePage } from '#lib/page.ts';
import { languagesOf } from '#lib/page-parts.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';

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

const LOGGED_MAX = 200;
/** Parts that may be a token of a link, and email addresses. */
const PRIVATE_PART = /[^/]{41,}|[^/]*(?:@|%40)[^/]*/g;

/** Returns an unknown path as it may be logged, without control characters: at most 200 characters. */
export const loggedPath = (path: string): string =>
  path
    .replaceAll(PRIVATE_PART, '…')
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, LOGGED_MAX);

/** Returns the page of an unknown path, in the browser's language. */
export function unknownPage(locale: string): Document {
  const language = languageOf(locale);
  return messagePage({ lang: language.locale, ...language.messages });
}

const API = '/api/v1';

/**
 * Returns the function that words the refusal of an unknown path: with the path that was probably
 * meant, without a trailing slash, with `/api/v1` or with the word of the API that is most similar.
 */
export function suggestPath(routes: readonly string[]): (path: string) => string {
  const templates = routes.map((route) => route.split('/'));
  const isKnown = (path: string) => {
    const parts = path.split('/');
    return templates.some(
      (template) =>
        template.length === parts.length &&
        template.every((part, index) => part === parts[index] || isParameter(part, parts[index])),
    );
  };
  const nouns = [...new Set(templates.flatMap((parts) => (isApi(parts) ? [parts[3] ?? ''] : [])))];
  return (path) => {
    const bare = withoutTrailingSlashes(path);
    const found = [bare, API + bare, bare.replace(/^\/(?:api\/)?(?:v\d+\/)?/, `${API}/`)].find(
      isKnown,
    );
    if (found !== undefined) {
      return `no such path; did you mean ${found}?`;
    }
    const [, , , noun = ''] = bare.split('/');
    const suggestion =
      bare.startsWith(`${API}/`) && !nouns.includes(noun) ? didYouMean(noun, nouns) : '';
    return suggestion === ''
      ? `no such path; the paths of the API start with ${API} and are listed at /docs`
      : `no such path${suggestion} The paths of the API are listed at /docs`;
  };
}

/** Not a regular expression: for a path of 16,000 slashes and a letter it would need a quarter of a second. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path.endsWith('/', end)) {
    end -= 1;
  }
  return path.slice(0, end);
}

const isParameter = (template: string, part = ''): boolean =>
  template.startsWith(':') && part !== '';

const isApi = ([, api, version]: readonly string[]): boolean => `/${api}/${version}` === API;
