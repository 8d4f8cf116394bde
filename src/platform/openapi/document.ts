import { Type, type TSchema } from 'typebox';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import type { EventType } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';
import { SCOPE_GRANTS } from '#core/scope.ts';
import { openComponents, type Components } from './components.ts';
import { operationOf, PARAMETERS } from './operation.ts';
import type { RequestExamples, ResponseExamples } from './request-body.ts';
import { FAULT_EXAMPLES, HEADERS, refusalsOf } from './responses.ts';
import { webhookOf, type DeliveryHeaders } from './webhooks.ts';

/** What the document describes. */
export interface Declarations {
  readonly endpoints: readonly Endpoint[];
  /** The credentials of callers. */
  readonly behind: Credential;
  /** Descriptions by tag: the first word of an endpoint's id. */
  readonly tags: Readonly<Record<string, string>>;
  /** Schemas that have names of their own, by name. */
  readonly schemas: ReadonlyMap<string, TSchema>;
  readonly requestExamples: RequestExamples;
  readonly responseExamples: ResponseExamples;
  /** What subscriptions receive, if the callers can subscribe. */
  readonly webhooks?: Webhooks;
}

interface Webhooks {
  readonly events: readonly EventType[];
  /** The members that the data of every event has. */
  readonly common: TSchema;
  readonly deliveryHeaders: DeliveryHeaders;
}

export interface About {
  readonly version: string;
  readonly baseUrl: string;
}

/** Returns the OpenAPI 3.1 document, derived from the declarations. Paths and schemas are sorted. */
export function openapi(declarations: Declarations, { version, baseUrl }: About): object {
  const { endpoints, tags, schemas, behind, webhooks } = declarations;
  const components = openComponents(new Map<string, object>([...ERRORS, ...schemas]));
  const paths = pathsOf(declarations, components);
  const received = webhooks && webhooksOf(webhooks, components);
  components.place(ERROR, 'ApiError');
  const refusals = endpoints.flatMap(refusalsOf);
  const used = new Set<string>(refusals.flatMap(({ codes }) => codes));
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      ...INFO[behind],
      version,
      contact: { name: 'Documentation of this server', url: `${baseUrl}/docs` },
      license: { name: 'UNLICENSED', url: `${baseUrl}/docs` },
    },
    servers: [{ url: baseUrl, description: 'this server' }],
    security: [{ [behind]: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    ...(received && { webhooks: received }),
    components: {
      securitySchemes: SCHEMES[behind],
      schemas: components.all(),
      parameters: PARAMETERS[behind],
      responses: Object.fromEntries(
        refusals
          .map(({ name, response }) => [name, response] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      headers: HEADERS,
      examples: Object.fromEntries(
        Object.entries(FAULT_EXAMPLES).filter(([code]) => used.has(code)),
      ),
    },
    'x-scopes': SCOPE_GRANTS,
  };
}

function pathsOf(
  { endpoints, requestExamples, responseExamples }: Declarations,
  components: Components,
): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints.toSorted(byPath)) {
    const path = pathOf(endpoint);
    const operation = operationOf(endpoint, { components, requestExamples, responseExamples });
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation };
  }
  return paths;
}

const webhooksOf = ({ events, ...rest }: Webhooks, components: Components): object =>
  Object.fromEntries(
    events.map((event) => [event.name, { post: webhookOf(event, { ...rest, components }) }]),
  );

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const pathOf = ({ path }: Endpoint): string => path.replaceAll(/:(\w+)/g, '{$1}');

const byPath = (a: Endpoint, b: Endpoint): number =>
  pathOf(a) === pathOf(b)
    ? METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
    : pathOf(a) < pathOf(b)
      ? -1
      : 1;

const ISSUE = Type.Object({
  in: s.oneOf(['body', 'query', 'path', 'header'], { description: 'the part of the request' }),
  path: Type.String({ description: 'a JSON pointer into that part; empty for the whole' }),
  message: Type.String({ description: 'what is wrong' }),
});

const DETAILS = Type.Object(
  {
    reason: Type.Optional(
      Type.String({ description: 'a more exact reason, where one is defined' }),
    ),
    issues: Type.Optional(Type.Array(ISSUE)),
  },
  { additionalProperties: true },
);

const FAILURE = Type.Object({
  code: Type.String({ description: 'the reason, for decisions of your program' }),
  message: Type.String({ description: 'the same in words, for logs and people' }),
  details: Type.Optional(DETAILS),
});

const ERROR = Type.Object({ error: FAILURE });

const ERRORS = [
  ['ApiError', ERROR],
  ['Failure', FAILURE],
  ['FailureDetails', DETAILS],
  ['Issue', ISSUE],
] as const;

/** What callers prove themselves with: a key of the API, or a session of the console. */
type Credential = 'apiKey' | 'session';

const DESCRIPTION = `A success returns \`{data, meta?}\`, a failure \`{error: {code, message, details?}}\`. Ignore unknown members.

- **Keys:** send \`Authorization: Bearer <API_KEY>\`. With an agency key, also send \`X-Sub-Account-Id\`. Each operation names the scope it needs.
- **Rate limits:** reads and writes are counted separately, per key. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` describe the current window; after a 429 wait \`Retry-After\` seconds.
- **Lists:** newest first, except where an operation says otherwise. While \`meta.hasMore\` is true, send \`meta.cursor\` as \`cursor\` to get the next page.
- **Safe retries:** send a POST with an \`Idempotency-Key\`. The first response is stored for 24 hours and replayed.`;
const KEYS =
  'An API key: `sk_live_…` or `sk_test_…` for one sub-account, `sk_agency_live_…` or `sk_agency_test_…` for an agency. Requests with an agency key also send `X-Sub-Account-Id`. The key must have the scopes of the operation.';

const CONSOLE_DESCRIPTION = `The endpoints that only the console has. Besides, \`/console/api/v1/<path>\` serves every endpoint \`/api/v1/<path>\` of a sub-account, for sessions instead of keys.

- **Session:** the cookie that signing in sets. \`X-Sub-Account-Id\` names the sub-account; without a membership there, the response is 404.
- **Changes:** requests other than GET need \`Sec-Fetch-Site: same-origin\`, or the \`Origin\` of the base URL.
- **Recent sign-in:** some operations need a sign-in within the last 10 minutes; otherwise the response is 403 with \`details.reason\` \`prove_again\`.`;

/** Title and description of the document, by the credentials of its callers. */
const INFO = {
  apiKey: { title: 'Frontdesk', description: DESCRIPTION },
  session: { title: 'Frontdesk console', description: CONSOLE_DESCRIPTION },
} as const;

/** The security schemes, by the credentials of the callers. */
const SCHEMES = {
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
