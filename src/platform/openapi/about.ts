/** What callers prove themselves with: a key of the API, or a session of the console. */
export type Credential = 'apiKey' | 'session';

const DESCRIPTION = `A success returns \`{data, meta?}\`, a failure \`{error: {code, message, details?}}\`. Ignore unknown members.

- **Keys:** send \`Authorization: Bearer <API_KEY>\`. With an agency key, also send \`X-Sub-Account-Id\`. Each operation names the scope it needs.
- **Rate limits:** reads and writes are counted separately, per key. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` describe the current window; after a 429 wait \`Retry-After\` seconds.
- **Lists:** newest first. While \`meta.hasMore\` is true, send \`meta.cursor\` as \`cursor\` to get the next page.
- **Safe retries:** send a POST with an \`Idempotency-Key\`. The first response is stored for 24 hours and replayed.`;
const KEYS =
  'An API key: `sk_live_…` or `sk_test_…` for one sub-account, `sk_agency_live_…` or `sk_agency_test_…` for an agency. Requests with an agency key also send `X-Sub-Account-Id`. The key must have the scopes of the operation.';

const CONSOLE_DESCRIPTION = `The endpoints that only the console has. Besides, \`/console/api/v1/<path>\` serves every endpoint \`/api/v1/<path>\` of a sub-account, for sessions instead of keys.

- **Session:** the cookie that signing in sets. \`X-Sub-Account-Id\` names the sub-account; without a membership there, the response is 404.
- **Changes:** requests other than GET need \`Sec-Fetch-Site: same-origin\`, or the \`Origin\` of the base URL.
- **Recent sign-in:** some operations need a sign-in within the last 10 minutes; otherwise the response is 403 with \`details.reason\` \`prove_again\`.`;

/** Title and description of the document, by the credentials of its callers. */
export const INFO = {
  apiKey: { title: 'Frontdesk', description: DESCRIPTION },
  session: { title: 'Frontdesk console', description: CONSOLE_DESCRIPTION },
} as const;

/** The security schemes, by the credentials of the callers. */
export const SCHEMES = {
  apiKey: { apiKey: { type: 'http', scheme: 'bearer', description: KEYS } },
  session: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'frontdesk_session',
      description: 'Set by signing in; over HTTPS its name is `__Host-frontdesk_session`.',
    },
  },
} as const;
