import { Type, type TObject, type TSchema } from 'typebox';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { exampleOf } from '#core/schema/example.ts';
import * as s from '#core/schema/schema.ts';
import { SCOPE_GRANTS } from '#core/scope.ts';
import {
  FAULT_EXAMPLES,
  HEADERS,
  bodyExamples,
  headersOf,
  isKeyed,
  isRepeatable,
  refusalsOf,
} from './responses.ts';

interface About {
  readonly version: string;
  readonly baseUrl: string;
  /** Descriptions by tag: the first word of an endpoint's id. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Returns the OpenAPI 3.1 document, derived from the declarations of the endpoints. */
export function openapi(endpoints: readonly Endpoint[], about: About): object {
  const { version, baseUrl, tags } = about;
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: { title: 'Frontdesk', version, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: KEYS } },
      schemas: { Error: ERROR },
      responses: Object.fromEntries(
        endpoints.flatMap(refusalsOf).map(({ name, response }) => [name, response]),
      ),
      headers: HEADERS,
      examples: FAULT_EXAMPLES,
    },
    'x-scopes': SCOPE_GRANTS,
  };
}

const DESCRIPTION = `A success returns \`{data, meta?}\`, a failure \`{error: {code, message, details?}}\`. Ignore unknown members.

- **Keys:** send \`Authorization: Bearer <API_KEY>\`. With an agency key, also send \`X-Sub-Account-Id\`. Each operation names the scope it needs.
- **Rate limits:** reads and writes are counted separately, per key. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` describe the current window; after a 429 wait \`Retry-After\` seconds.
- **Lists:** newest first. While \`meta.hasMore\` is true, send \`meta.cursor\` as \`cursor\` to get the next page.
- **Safe retries:** send a POST with an \`Idempotency-Key\`. The first response is stored for 24 hours and replayed.`;
const KEYS =
  'An API key: `sk_live_…` or `sk_test_…` for one sub-account, `sk_agency_live_…` or `sk_agency_test_…` for an agency. Requests with an agency key also send `X-Sub-Account-Id`. The key must have the scopes of the operation.';

const ERROR = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Object({})),
  }),
});

function operationOf(endpoint: Endpoint): object {
  const { id, summary, deprecated, body, takes } = endpoint;
  const isOptional = isKeyed(endpoint) && endpoint.bodyOptional === true;
  return {
    operationId: id,
    tags: [id.split('.')[0]],
    summary,
    description: descriptionOf(endpoint),
    ...(deprecated && { deprecated: true }),
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(body && {
      requestBody: {
        required: !isOptional,
        content: {
          'application/json': { schema: body, examples: bodyExamples(body) },
          ...textsOf(takes),
        },
      },
    }),
    responses: responsesOf(endpoint),
  };
}

/** The description, and the credentials that a call needs. */
function descriptionOf(endpoint: Endpoint): string {
  const { description } = endpoint;
  const credentials = credentialsOf(endpoint);
  return description ? `${description}\n\n${credentials}` : credentials;
}

function credentialsOf(endpoint: Endpoint): string {
  if (!isKeyed(endpoint)) {
    return endpoint.kind === 'signed'
      ? 'Requires a signature instead of a key.'
      : 'Requires no key.';
  }
  const { access, rate } = endpoint;
  const key = access.kind === 'key' ? `the scope \`${access.scope}\`` : UNSCOPED[access.kind];
  return `Requires ${key}. Counts as a ${rate}.`;
}

const UNSCOPED = { agency: 'an agency key', any: 'a key; no scope' } as const;

/** Content of types other than JSON. */
const textsOf = (types: readonly string[] = []) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

const securityOf = (endpoint: Endpoint): object[] =>
  isKeyed(endpoint)
    ? [{ apiKey: endpoint.access.kind === 'key' ? [endpoint.access.scope] : [] }]
    : [];

function parametersOf(endpoint: Endpoint): object[] {
  const { params, query } = endpoint;
  const inHeader = (name: string, schema: object, description: string) => ({
    name,
    in: 'header',
    required: false,
    schema,
    description,
  });
  const members = (place: 'path' | 'query', schema: TObject | undefined) =>
    Object.entries(schema?.properties ?? {}).map(([name, member]) => ({
      name,
      in: place,
      required:
        place === 'path' || (schema?.required as string[] | undefined)?.includes(name) === true,
      schema: member,
      ...((member as { type?: string }).type === 'array' && { style: 'form', explode: false }),
    }));
  return [
    ...members('path', params),
    ...members('query', query),
    ...(isKeyed(endpoint) && endpoint.access.kind !== 'agency'
      ? [
          inHeader(
            'X-Sub-Account-Id',
            { type: 'string', format: 'uuid' },
            endpoint.access.kind === 'key'
              ? 'the sub-account; required with agency keys'
              : 'the sub-account; for agency keys',
          ),
        ]
      : []),
    ...(isRepeatable(endpoint)
      ? [
          inHeader(
            'Idempotency-Key',
            { type: 'string', minLength: 1, maxLength: 255 },
            'identifies the request for safe retries: the first response is stored for 24 hours and replayed',
          ),
        ]
      : []),
  ];
}

function responsesOf(endpoint: Endpoint): object {
  const { status = 200, otherStatus, data, documents } = endpoint;
  const isEnvelope = documents === undefined || (data as { type?: unknown }).type !== 'null';
  const schema = envelopeOf(endpoint, data);
  const envelope = { 'application/json': { schema, example: exampleOf(schema) } };
  const success = (one: number) => ({
    description: one === 201 ? 'created' : 'success',
    headers: headersOf(endpoint, one),
    content: { ...(isEnvelope && envelope), ...textsOf(documents) },
  });
  return {
    [status]: success(status),
    ...(otherStatus && { [otherStatus]: success(otherStatus) }),
    ...Object.fromEntries(
      refusalsOf(endpoint).map((refusal) => [
        refusal.status,
        { $ref: `#/components/responses/${refusal.name}` },
      ]),
    ),
  };
}

/** Returns the schema of a response: `{data, meta?}`, or the data alone if the endpoint is `bare`. */
export function envelopeOf(endpoint: Endpoint, data: TSchema): TSchema {
  const { meta, bare } = endpoint;
  const paged = pagedOf(endpoint);
  if (bare) {
    return data;
  }
  const members = {
    ...meta?.properties,
    ...(paged && {
      hasMore: Type.Boolean(),
      cursor: paged === 'feed' ? Type.String() : s.nullable(Type.String()),
    }),
  };
  return Type.Object({
    data,
    ...(Object.keys(members).length > 0 && { meta: Type.Object(members) }),
  });
}

/** Returns how an endpoint pages its data, if it does. */
export const pagedOf = (endpoint: Endpoint): true | 'feed' | undefined =>
  isKeyed(endpoint) ? endpoint.paged : undefined;
