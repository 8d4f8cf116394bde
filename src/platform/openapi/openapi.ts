import type { TObject, TSchema } from 'typebox';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { exampleOf } from '#core/schema/example.ts';
import * as s from '#core/schema/schema.ts';
import { SCOPE_GRANTS } from '#core/scope.ts';
import { Type } from '#core/schema/type.ts';
import { bodyExamples, FAULT_EXAMPLES } from './examples.ts';
import { HEADERS, headersOf, isRepeatable } from './headers.ts';
import { refusalsOf } from './refusals.ts';

interface About {
  readonly version: string;
  readonly baseUrl: string;
  /** What the first words of the endpoints' ids stand for. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The OpenAPI 3.1 document, derived: there is no second description of an endpoint anywhere. */
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

const DESCRIPTION = `Success is \`{data, meta?}\`, failure \`{error: {code, message, details?}}\`. Ignore members you do not know.

- **Keys:** send \`Authorization: Bearer <API_KEY>\`; an agency key also names the sub-account, in \`X-Sub-Account-Id\`. Each call says which scope it needs.
- **Limits:** reads and writes are counted apart, per key. \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` tell where you are; after a 429 wait \`Retry-After\` seconds.
- **Lists:** newest first. Pass \`meta.cursor\` on as \`cursor\` while \`meta.hasMore\` is true.
- **Safe retries:** send a POST with an \`Idempotency-Key\`; the first answer is kept for 24 hours and given again.`;
const KEYS =
  'An API key: `sk_live_…` or `sk_test_…` of one sub-account, `sk_agency_live_…` or `sk_agency_test_…` of an agency, which also sends `X-Sub-Account-Id`. The scopes of an operation are those the key must carry.';

const ERROR = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Object({})),
  }),
});

function operationOf(endpoint: Endpoint): object {
  const { id, summary, deprecated, body, bodyOptional = false, takes } = endpoint;
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
        required: !bodyOptional,
        content: {
          'application/json': { schema: body, examples: bodyExamples(body) },
          ...textsOf(takes),
        },
      },
    }),
    responses: responsesOf(endpoint),
  };
}

/** What is said of it, and what whoever calls it needs. */
function descriptionOf({ description, access, rate }: Endpoint): string {
  const needed = {
    key: () => `Needs the scope \`${'scope' in access && access.scope}\`; counts as a ${rate}.`,
    agency: () => `Needs an agency key; counts as a ${rate}.`,
    signed: () => 'Needs no key, but a signature.',
    public: () => 'Needs no key.',
  }[access.kind]();
  return description ? `${description}\n\n${needed}` : needed;
}

/** Bodies that are no JSON of ours. */
const textsOf = (types: readonly string[] = []) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

function securityOf({ access }: Endpoint): object[] {
  if (access.kind === 'key') {
    return [{ apiKey: [access.scope] }];
  }
  return access.kind === 'agency' ? [{ apiKey: [] }] : [];
}

function parametersOf(endpoint: Endpoint): object[] {
  const { params, query, access } = endpoint;
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
    ...(access.kind === 'key'
      ? [
          inHeader(
            'X-Sub-Account-Id',
            { type: 'string', format: 'uuid' },
            'required for agency keys',
          ),
        ]
      : []),
    ...(isRepeatable(endpoint)
      ? [
          inHeader(
            'Idempotency-Key',
            { type: 'string', minLength: 1, maxLength: 255 },
            'the first answer is kept for 24 hours and replayed',
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

/** The whole answer of an endpoint: `{data, meta?}`, or the data alone where that is declared. */
export function envelopeOf({ meta, paged, bare }: Endpoint, data: TSchema): TSchema {
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
