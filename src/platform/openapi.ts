import type { TObject, TSchema } from 'typebox';
import type { Endpoint } from '#kit/endpoint.ts';
import { FAULTS, type FaultCode } from '#kit/fault.ts';
import * as s from '#kit/schema.ts';
import { SCOPE_GRANTS } from '#kit/scope.ts';
import { Type } from '#kit/type.ts';

interface About {
  readonly version: string;
  readonly baseUrl: string;
}

/** The OpenAPI 3.1 document, derived: there is no second description of an endpoint anywhere. */
export function openapi(endpoints: readonly Endpoint[], { version, baseUrl }: About): object {
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
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: KEYS } },
      schemas: { Error: ERROR },
      headers: HEADERS,
    },
    'x-scopes': SCOPE_GRANTS,
  };
}

const DESCRIPTION =
  'Success is `{data, meta?}`, failure `{error: {code, message, details?}}`. Ignore members you do not know.';
const KEYS =
  'An API key. Agency keys also send `X-Sub-Account-Id`. The scopes of an operation are those the key must carry.';

const ERROR = Type.Object({
  error: Type.Object({
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Object({})),
  }),
});

const header = (description: string, type: 'string' | 'integer') => ({
  description,
  schema: { type },
});

const ALWAYS = {
  'X-API-Version': header('always v1', 'string'),
  'X-Request-Id': header('names this request in logs and in the audit trail', 'string'),
};
const PAST_AUTHENTICATION = {
  'X-RateLimit-Limit': header('requests per window', 'integer'),
  'X-RateLimit-Remaining': header('requests left in this window', 'integer'),
  'X-RateLimit-Reset': header('when the window ends, in epoch seconds', 'integer'),
};

const COME_AGAIN = { 'Retry-After': header('seconds to wait', 'integer') };
const REPEATABLE = { 'Idempotent-Replayed': header('true where a kept answer is given', 'string') };
const HEADERS = { ...ALWAYS, ...PAST_AUTHENTICATION, ...COME_AGAIN, ...REPEATABLE };

const isKeyed = ({ access: { kind } }: Endpoint): boolean => kind === 'key' || kind === 'agency';

/** Every call with a key counts against its rate, and what a visitor does against a limit. */
const isCounted = (endpoint: Endpoint): boolean =>
  isKeyed(endpoint) || (endpoint.access.kind === 'public' && endpoint.access.limit !== undefined);

/** A POST with a key may be sent again with the same Idempotency-Key. */
const isRepeatable = (endpoint: Endpoint): boolean =>
  isKeyed(endpoint) && endpoint.method === 'POST';

function headersOf(endpoint: Endpoint, status: number): object {
  const carried = {
    ...ALWAYS,
    ...(isCounted(endpoint) && ![401, 503].includes(status) && PAST_AUTHENTICATION),
    ...([429, 503].includes(status) && COME_AGAIN),
    ...(isRepeatable(endpoint) && status < 429 && REPEATABLE),
  };
  return Object.fromEntries(
    Object.keys(carried).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function operationOf(endpoint: Endpoint): object {
  const { id, summary, description, deprecated, body, bodyOptional = false, takes } = endpoint;
  return {
    operationId: id,
    tags: [id.split('.')[0]],
    summary,
    ...(description && { description }),
    ...(deprecated && { deprecated: true }),
    security: securityOf(endpoint),
    parameters: parametersOf(endpoint),
    ...(body && {
      requestBody: {
        required: !bodyOptional,
        content: { 'application/json': { schema: body }, ...textsOf(takes) },
      },
    }),
    responses: responsesOf(endpoint),
  };
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

/** What any call past routing may be refused with, and what its parts add. */
function faultsOf(endpoint: Endpoint): Set<FaultCode> {
  const { access, body, method, faults = [] } = endpoint;
  return new Set<FaultCode>([
    ...ANY_CALL,
    ...(access.kind === 'public' ? [] : (['UNAUTHORIZED'] as const)),
    ...(isKeyed(endpoint) ? ANY_KEY : []),
    ...(!isKeyed(endpoint) && 'limit' in access ? (['RATE_LIMITED'] as const) : []),
    ...(access.kind === 'agency' ? [] : (['NOT_FOUND'] as const)),
    ...(body || method !== 'GET' ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(isRepeatable(endpoint)
      ? (['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH'] as const)
      : []),
    ...faults,
  ]);
}

const ANY_CALL: readonly FaultCode[] = [
  'VALIDATION_ERROR',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];
const ANY_KEY: readonly FaultCode[] = ['KEY_EXPIRED', 'KEY_REVOKED', 'FORBIDDEN', 'RATE_LIMITED'];

function responsesOf(endpoint: Endpoint): object {
  const { status = 200, data, documents } = endpoint;
  const refusals = Map.groupBy(faultsOf(endpoint), (code) => FAULTS[code]);
  const answer = (code: number, description: string, schema: object) => ({
    description,
    headers: headersOf(endpoint, code),
    content: { 'application/json': { schema } },
  });
  const success = answer(
    status,
    status === 201 ? 'created' : 'success',
    envelopeOf(endpoint, data),
  );
  const isEnvelope = documents === undefined || (data as { type?: unknown }).type !== 'null';
  return {
    [status]: {
      ...success,
      content: { ...(isEnvelope && success.content), ...textsOf(documents) },
    },
    ...Object.fromEntries(
      [...refusals].map(([code, names]) => [
        code,
        answer(code, names.join(', '), { $ref: '#/components/schemas/Error' }),
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
