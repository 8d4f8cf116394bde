import { redirectTarget } from '../../accounts/grants/redirect-uri.ts';

/** What a program publishes about itself at the address that is its `client_id`. */
export interface ClientDocument {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const ID_MAX = 500;
const NAME_MAX = 80;
const URIS_MAX = 50;

/** Returns why a text cannot be a `client_id` that names a metadata document; undefined if it can. */
export function clientIdRefusal(id: string): string | undefined {
  const url = URL.parse(id);
  if (url?.protocol !== 'https:') {
    return 'client_id must be an https:// address of a client ID metadata document';
  }
  if (id.length > ID_MAX) {
    return `client_id must have at most ${ID_MAX} characters`;
  }
  const isPlain = url.username === '' && url.password === '' && !id.includes('#');
  // Other spellings of the same address would be another client.
  if (!isPlain || url.pathname === '/' || url.href !== id) {
    return 'client_id must be a normalized address with a path, without user name and fragment';
  }
  return undefined;
}

/** Returns the checked document of a client, or why it cannot be used. */
export function readClientDocument(clientId: string, text: string): ClientDocument | string {
  const document = parsed(text);
  if (document === undefined) {
    return 'is not a JSON object';
  }
  if (document['client_id'] !== clientId) {
    return 'has another client_id than its address';
  }
  if (
    (document['token_endpoint_auth_method'] ?? 'none') !== 'none' ||
    'client_secret' in document
  ) {
    return 'has another token_endpoint_auth_method than none';
  }
  if (!allows(document['grant_types'], 'authorization_code')) {
    return 'lacks authorization_code in grant_types';
  }
  if (!allows(document['response_types'], 'code')) {
    return 'lacks code in response_types';
  }
  const redirectUris = textsOf(document['redirect_uris']);
  if (redirectUris === undefined || !redirectUris.some((uri) => redirectTarget(uri))) {
    return 'lacks redirect_uris that can be used';
  }
  return { clientId, name: nameOf(document['client_name'], clientId), redirectUris };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

/** A list that is missing has its default, which is enough. */
const allows = (list: unknown, wanted: string): boolean =>
  list === undefined || (textsOf(list)?.includes(wanted) ?? false);

function textsOf(list: unknown): readonly string[] | undefined {
  const isList =
    Array.isArray(list) &&
    list.length <= URIS_MAX &&
    list.every((one): one is string => typeof one === 'string');
  return isList ? list : undefined;
}

/** Control and formatting characters could make a name look like another text of the page. */
function nameOf(name: unknown, clientId: string): string {
  const shown = typeof name === 'string' ? name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() : '';
  return shown === '' ? new URL(clientId).host : Array.from(shown).slice(0, NAME_MAX).join('');
}
