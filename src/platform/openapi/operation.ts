import type { TObject } from 'typebox';
import type { SessionAccess } from '#core/endpoint/console-endpoint.ts';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { exampleId, exampleOf } from '#core/schema/example.ts';
import { camelCase, operationName, singular } from './names.ts';
import { requestBodyOf, textsOf, type OperationContext } from './request-body.ts';
import { isBehindSession, isKeyed, isRepeatable, refusalsOf } from './responses.ts';
import { successesOf } from './success.ts';
import { tellingExample } from './telling-example.ts';

/** Returns the operation of an endpoint. */
export function operationOf(endpoint: Endpoint, context: OperationContext): object {
  const { id, summary, deprecated, body } = endpoint;
  return {
    operationId: id,
    tags: [id.split('.')[0]],
    summary,
    description: descriptionOf(endpoint),
    ...(deprecated && { deprecated: true }),
    ...securityOf(endpoint),
    parameters: parametersOf(endpoint, context),
    ...(body && { requestBody: requestBodyOf({ ...endpoint, body }, context) }),
    ...uploadOf(endpoint),
    responses: {
      ...successesOf(endpoint, context),
      ...Object.fromEntries(
        refusalsOf(endpoint).map((refusal) => [
          refusal.status,
          { $ref: `#/components/responses/${refusal.name}` },
        ]),
      ),
    },
  };
}

function uploadOf(endpoint: Endpoint): object {
  return endpoint.kind === 'console' && endpoint.receive
    ? { requestBody: { required: true, content: textsOf([endpoint.upload.type]) } }
    : {};
}

/** The description, and the credentials that a call needs. */
function descriptionOf(endpoint: Endpoint): string {
  const { description } = endpoint;
  const credentials = credentialsOf(endpoint);
  return description ? `${description}\n\n${credentials}` : credentials;
}

function credentialsOf(endpoint: Endpoint): string {
  if (isBehindSession(endpoint)) {
    const { access, rate, recentSignIn } = endpoint;
    const recent = recentSignIn ? ' and a sign-in within the last 10 minutes' : '';
    return `Requires ${sessionNeeds(access)}${recent}. Counts as a ${rate}.`;
  }
  if (endpoint.kind === 'console') {
    return 'Requires no session.';
  }
  if (!isKeyed(endpoint)) {
    return endpoint.kind === 'signed'
      ? 'Requires a signature instead of a key.'
      : 'Requires no key.';
  }
  const { access, rate } = endpoint;
  const key = access.kind === 'key' ? `the scope \`${access.scope}\`` : UNSCOPED[access.kind];
  return `Requires ${key}. Counts as a ${rate}.`;
}

function sessionNeeds(access: SessionAccess): string {
  switch (access.kind) {
    case 'scope':
      return `a role with the scope \`${access.scope}\``;
    case 'role':
      return `the role \`${access.role}\`, or a more powerful one`;
    case 'owner':
      return 'an owner of the installation';
    case 'session':
      return 'a session';
  }
}

const UNSCOPED = { agency: 'an agency key', any: 'a key; no scope' } as const;

/** Scopes are no OAuth scopes, and tools accept only those in `security`. */
function securityOf(endpoint: Endpoint): object {
  const scope = scopeOf(endpoint);
  return {
    security: isKeyed(endpoint)
      ? [{ apiKey: [] }]
      : isBehindSession(endpoint)
        ? [{ session: [] }]
        : [],
    ...(scope !== undefined && { 'x-required-scopes': [scope] }),
  };
}

function scopeOf(endpoint: Endpoint): string | undefined {
  if (isKeyed(endpoint)) {
    return endpoint.access.kind === 'key' ? endpoint.access.scope : undefined;
  }
  return isBehindSession(endpoint) && endpoint.access.kind === 'scope'
    ? endpoint.access.scope
    : undefined;
}

const inHeader = (name: string, schema: object, description: string) => ({
  name,
  in: 'header',
  required: false,
  schema,
  description,
});

const SUB_ACCOUNT = ['X-Sub-Account-Id', { type: 'string', format: 'uuid' }] as const;

const IdempotencyKey = inHeader(
  'Idempotency-Key',
  { type: 'string', minLength: 1, maxLength: 255 },
  'identifies the request for safe retries: the first response is stored for 24 hours and replayed',
);

/** The parameters that many operations share, by the credentials of callers and by name. */
export const PARAMETERS = {
  apiKey: {
    SubAccountId: inHeader(
      ...SUB_ACCOUNT,
      'the sub-account; required with an agency key, where the operation belongs to a sub-account',
    ),
    IdempotencyKey,
  },
  session: {
    SubAccountId: { ...inHeader(...SUB_ACCOUNT, 'the sub-account'), required: true },
    IdempotencyKey,
  },
};

const shared = (name: string) => ({ $ref: `#/components/parameters/${name}` });

function parametersOf(
  endpoint: Endpoint,
  { components, requestExamples }: OperationContext,
): object[] {
  const known = requestExamples.queries[endpoint.id];
  const { id, params, query } = endpoint;
  const members = (place: 'path' | 'query', schema: TObject | undefined) =>
    Object.entries(schema?.properties ?? {}).map(([name, member]) => {
      const isList = (member as { type?: string }).type === 'array';
      const required = place === 'path' || isRequired(schema, name);
      const { description, ...placed } = components.place(member, operationName(id));
      return {
        name,
        in: place,
        required,
        ...(description !== undefined && { description }),
        schema: placed,
        ...(isList && { style: 'form', explode: false }),
        ...((required || known?.[name] !== undefined) && {
          example: known?.[name] ?? parameterExample(endpoint, name, member),
        }),
      };
    });
  return [
    ...members('path', params),
    ...members('query', query),
    ...signatureOf(endpoint),
    ...subAccountOf(endpoint),
    ...(isRepeatable(endpoint) ? [shared('IdempotencyKey')] : []),
  ];
}

const TEXT = { type: 'string' };

function signatureOf(endpoint: Endpoint): object[] {
  const { signature = [] } = endpoint.kind === 'signed' ? endpoint : {};
  return signature.map(({ name, description, isRequired = false }) => ({
    ...inHeader(name, TEXT, description),
    required: isRequired,
  }));
}

/** The header that names the sub-account; where a query may name it instead, the header is optional. */
function subAccountOf(endpoint: Endpoint): object[] {
  if (isKeyed(endpoint)) {
    return endpoint.access.kind === 'agency' ? [] : [shared('SubAccountId')];
  }
  if (!isBehindSession(endpoint) || !['scope', 'role'].includes(endpoint.access.kind)) {
    return [];
  }
  const isInQuery = endpoint.query?.properties['subAccountId'] !== undefined;
  return [
    isInQuery
      ? inHeader(...SUB_ACCOUNT, 'the sub-account, unless the query names it')
      : shared('SubAccountId'),
  ];
}

const isRequired = (schema: TObject | undefined, name: string): boolean =>
  (schema?.required as readonly string[] | undefined)?.includes(name) === true;

/** The `id` of a path is that of its noun, as in the bodies that refer to it. */
function parameterExample({ id }: Endpoint, name: string, schema: object): unknown {
  const noun = camelCase(singular(id.split('.')[0] ?? ''));
  return name === 'id' ? exampleId(`${noun}Id`) : tellingExample(exampleOf(schema, name), name);
}
