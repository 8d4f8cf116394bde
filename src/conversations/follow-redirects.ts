import type { Outbound, OutboundAnswer, OutboundFailure, OutboundRequest } from '#core/outbound.ts';

/** Content servers redirect to others. */
const REDIRECTS_MAX = 3;

export const REDIRECTED_TOO_OFTEN: OutboundFailure = {
  failure: 'redirected too often',
  wasSent: true,
};

/**
 * Sends a GET request and follows redirects, each through the guard. `headersOf` returns the headers for
 * one address. Never rejects.
 */
export async function followRedirects(
  outbound: Pick<Outbound, 'send'>,
  request: Omit<OutboundRequest, 'method' | 'headers' | 'isRepeatable'>,
  headersOf: (url: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<OutboundAnswer | OutboundFailure> {
  let { url } = request;
  for (let step = 0; step <= REDIRECTS_MAX; step += 1) {
    const headers = { 'user-agent': 'Frontdesk/1.0', ...headersOf(url) };
    const answer = await outbound.send({
      ...request,
      url,
      method: 'GET',
      headers,
      isRepeatable: true,
    });
    if ('failure' in answer) {
      return answer;
    }
    const { location } = answer.headers;
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
    if (!isRedirect || !URL.canParse(location, url)) {
      return answer;
    }
    url = new URL(location, url).href;
  }
  return REDIRECTED_TOO_OFTEN;
}
