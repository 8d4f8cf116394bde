import type { OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';
import type { Tools } from '#core/tools.ts';
import type { CalendarText } from './digest-calendar.ts';
import type { ExternalSetup, Validators } from './external-setup.ts';

/** The texts of the fetched calendars, or that they are unchanged, or the error. */
export type FetchedIcs =
  | { readonly texts: readonly CalendarText[]; readonly validators: Validators }
  | { readonly isUnchanged: true }
  | Pick<OutboundFailure, 'failure'>;

export interface FetchOptions
  extends
    Pick<Tools, 'outbound'>,
    Pick<OutboundRequest, 'subAccountId' | 'timeoutMs' | 'makeRoom'> {
  readonly signal: AbortSignal;
}

export const CALENDAR_MAX_BYTES = 5_000_000;
const REDIRECTS_MAX = 3;

/** Fetches an ICS file. Redirects are followed, and each target is checked by the SSRF guard. */
export async function fetchIcs(
  { url, validators }: Pick<ExternalSetup, 'url' | 'validators'>,
  options: FetchOptions,
  redirects = REDIRECTS_MAX,
): Promise<FetchedIcs> {
  const answer = await get(url, validators, options);
  if ('failure' in answer) {
    return answer;
  }
  const { status, headers, body } = answer;
  const { location } = headers;
  if (REDIRECTS.has(status) && location !== undefined && redirects > 0) {
    return URL.canParse(location, url)
      ? fetchIcs({ url: new URL(location, url).href, validators }, options, redirects - 1)
      : { failure: 'it redirects to an invalid URL' };
  }
  if (status === 304) {
    return { isUnchanged: true };
  }
  if (status !== 200) {
    return { failure: `it returned ${status}` };
  }
  if (body.length > CALENDAR_MAX_BYTES) {
    return { failure: TOO_LARGE };
  }
  const { etag, 'last-modified': lastModified } = headers;
  return { texts: [body], validators: { etag, lastModified } };
}

const TOO_LARGE = `it is larger than ${CALENDAR_MAX_BYTES / 1_000_000} MB`;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const get = (
  url: string,
  { etag, lastModified }: Validators,
  { outbound, ...options }: FetchOptions,
): Promise<OutboundAnswer | OutboundFailure> =>
  outbound.send({
    ...options,
    url,
    method: 'GET',
    isRepeatable: true,
    isPlainPublic: true,
    headers: {
      accept: 'text/calendar, */*;q=0.1',
      'user-agent': 'Frontdesk/1.0',
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
    },
    readMaxBytes: CALENDAR_MAX_BYTES + 1,
  });
