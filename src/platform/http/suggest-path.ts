import { didYouMean } from '#core/schema/did-you-mean.ts';

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
    const bare = path.replace(/\/+$/, '');
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

const isParameter = (template: string, part = ''): boolean =>
  template.startsWith(':') && part !== '';

const isApi = ([, api, version]: readonly string[]): boolean => `/${api}/${version}` === API;
