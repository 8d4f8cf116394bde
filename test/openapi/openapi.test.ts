import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { issuesOf } from '#core/schema/check.ts';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { isAboutFile, takesFile } from '#core/endpoint/file-body.ts';
import { FAULTS } from '#core/fault.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { SCOPES } from '#core/scope.ts';
import { envelopeOf } from '#platform/openapi/success.ts';
import { endpoints } from '#registry/endpoints.ts';
import { signatureOf } from '../conversations/inbound/callbacks.support.ts';
import { signedRequest, unsigned } from '../conversations/inbound/signed-calls.support.ts';
import { FILES_MAX_BYTES } from '../support/files.ts';
import { DOCUMENT, INLINED } from '../support/openapi.ts';
import { hasId, keyOf, lineOf, successfulRequest } from '../support/samples.ts';
import { describe, expect, test, type CallOptions, type TestService } from '../support/service.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly { readonly apiKey: readonly [] }[];
  readonly 'x-required-scopes'?: readonly string[];
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { content: Record<string, { schema: TSchema }> };
  readonly responses: Readonly<
    Record<string, { description: string; content: Record<string, { schema: TSchema }> }>
  >;
}

const PATHS = INLINED.paths as Record<string, Record<string, Operation>>;
const OPERATIONS = Object.entries(PATHS).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
);
const EVERY = endpoints.map((endpoint) => [endpoint.id, endpoint] as const);

/** Visitors send no key; their calls count if the endpoint has a limit. */
const isPublic = ({ kind }: Endpoint): boolean => kind === 'public' || kind === 'stream';
const PUBLIC = new Map(endpoints.filter(isPublic).map((endpoint) => [endpoint.id, endpoint]));

const isSigned = ({ kind }: Endpoint): boolean => kind === 'signed';
const taken = (endpoint: Endpoint, service: TestService) =>
  isSigned(endpoint) ? signedRequest(endpoint, service) : successfulRequest(endpoint, service);

const isLimited = (endpoint: Endpoint): boolean =>
  endpoint.kind === 'stream' || (endpoint.kind === 'public' && endpoint.limit !== undefined);

const operationOf = ({ path, method }: Endpoint): Operation => {
  const found = PATHS[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (!found) {
    throw new Error(`${method} ${path} is not in the document`);
  }
  return found;
};

describe('the OpenAPI document', () => {
  test('has the members that OpenAPI 3.1 requires', () => {
    expect(DOCUMENT.openapi).toMatch(/^3\.1\.\d$/);
    expect(DOCUMENT.info).toMatchObject({ title: 'Frontdesk', version: '1.2.3' });
    expect(DOCUMENT.servers).toEqual([
      { url: 'http://localhost:3000', description: 'this server' },
    ]);
    expect(DOCUMENT.components.securitySchemes.apiKey).toMatchObject({
      type: 'http',
      scheme: 'bearer',
    });
  });

  test('holds every route and no other', () => {
    const documented = OPERATIONS.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const declared = endpoints.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(documented.sort()).toEqual(declared.sort());
  });

  test('names every operation once and no scope that does not exist', () => {
    const ids = OPERATIONS.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operation } of OPERATIONS) {
      expect(SCOPES).toEqual(expect.arrayContaining([...(operation['x-required-scopes'] ?? [])]));
    }
    expect(Object.keys(DOCUMENT['x-scopes'])).toEqual(SCOPES);
  });

  test('declares every parameter of a path, and each parameter once', () => {
    for (const { path, operation } of OPERATIONS) {
      const names = operation.parameters.map((one) => `${one.in} ${one.name}`);
      expect(new Set(names).size).toBe(names.length);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = operation.parameters.filter((one) => one.in === 'path');
      expect(declared.map(({ name }) => name)).toEqual(inPath);
      expect(declared.every(({ required }) => required)).toBe(true);
    }
  });

  test('refers only to what it holds', () => {
    const references = [...JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(0);
    for (const [, path = ''] of references) {
      const found = path.split('/').reduce((at, name) => at?.[name], DOCUMENT);
      expect(found, path).toBeTypeOf('object');
    }
  });

  test('holds schemas of the dialect that it names, without a keyword of our own', () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    // Of OpenAPI: the content of a file.
    [...Object.keys(FORMATS), 'binary'].forEach((name) => ajv.addFormat(name, true));
    const schemas = OPERATIONS.flatMap(({ operation }) => [
      ...operation.parameters.map(({ schema }) => schema),
      ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(operation.responses)
        .flatMap(({ content }) => Object.values(content))
        .map(({ schema }) => schema),
    ]);
    expect(schemas.length).toBeGreaterThan(endpoints.length);
    for (const schema of schemas) {
      expect(() => ajv.compile(schema), JSON.stringify(schema)).not.toThrow();
    }
  });

  test('lists a success and every refusal by a status that its codes have', () => {
    for (const { operation } of OPERATIONS) {
      const statuses = Object.keys(operation.responses).map(Number);
      expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(0);
      const visited = PUBLIC.get(operation.operationId);
      expect(statuses).toEqual(expect.arrayContaining([400, 500, 503]));
      expect(statuses.includes(401)).toBe(visited === undefined);
      // Of a key: its scope and its rate; of the challenge: its token.
      const isKeyed = operation.security.length > 0;
      const isChallenge = operation.operationId.endsWith('.challenge');
      const isWorkflow = operation.operationId.startsWith('workflows.');
      expect([403, 429].map((status) => statuses.includes(status))).toEqual([
        isKeyed || isChallenge,
        isKeyed || isWorkflow || (visited !== undefined && isLimited(visited)),
      ]);
      for (const [status, { description }] of Object.entries(operation.responses)) {
        const codes = description.split(', ').filter((word) => word in FAULTS);
        expect(codes.every((code) => String(FAULTS[code as 'NOT_FOUND']) === status)).toBe(true);
      }
    }
  });
});

/** A stream has no end; what it tells is looked at in chat/stream.test.ts. */
describe.for(EVERY.filter(([, { kind }]) => kind !== 'stream'))(
  'what %s answers',
  ([, endpoint]) => {
    const schemaFor = (status: number): TSchema => {
      const schema = operationOf(endpoint).responses[status]?.content['application/json']?.schema;
      if (!schema) {
        throw new Error(`${status} is not declared`);
      }
      return schema;
    };

    test('is what the document says, and holds no member that it does not name', async ({
      service,
    }) => {
      const { line, options } = await taken(endpoint, service);
      const { status, body } = await service.call(line, options);
      if (endpoint.method === 'GET' && isSigned(endpoint)) {
        // The challenge of Meta is answered bare.
        const { content } = operationOf(endpoint).responses[status] ?? {};
        expect([Object.keys(content ?? {}), body]).toEqual([['text/plain'], '1158201444']);
        return;
      }
      if (isAboutFile(endpoint) && !takesFile(endpoint)) {
        const { content } = operationOf(endpoint).responses[status] ?? {};
        expect([Object.keys(content ?? {}), body.length > 0]).toEqual([['*/*'], true]);
        return;
      }
      expect(issuesOf(schemaFor(status), body)).toEqual([]);
      expect(issuesOf(closed(envelopeOf(endpoint, endpoint.data)), body)).toEqual([]);
    });

    test('is declared where it refuses', async ({ service }) => {
      const { line, options } = await taken(endpoint, service);
      const refusals = isSigned(endpoint)
        ? await signedRefusals(service, { endpoint, line, options })
        : isPublic(endpoint)
          ? await publicRefusals(service, { endpoint, line, options })
          : await keyedRefusals(service, { endpoint, line, options });
      for (const { status, body } of refusals) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(issuesOf(schemaFor(status), body)).toEqual([]);
      }
    });
  },
);

interface Taken {
  readonly endpoint: Endpoint;
  readonly line: string;
  readonly options: CallOptions;
}

const withUnknown = (line: string): string => `${line}${line.includes('?') ? '&' : '?'}unknown=1`;

const keyedRefusals = async (service: TestService, { endpoint, line, options }: Taken) => [
  await service.call(line, { ...options, key: null }),
  await service.call(withUnknown(line), options),
  await service.call(line, {
    ...options,
    key: keyOf(endpoint) === 'agency' ? 'full' : 'none',
  }),
  ...(hasId(endpoint) ? [await service.call(lineOf(endpoint, crypto.randomUUID()), options)] : []),
  ...(await bodyRefusals(service, endpoint, line)),
];

/** Unknown to everybody, and bodies that are none. */
const publicRefusals = async (service: TestService, { endpoint, line, options }: Taken) => [
  await service.call(withUnknown(line), options),
  ...(await bodyRefusals(service, endpoint, line)),
];

async function bodyRefusals(service: TestService, endpoint: Endpoint, line: string) {
  if (endpoint.method === 'GET') {
    return [];
  }
  const size = (takesFile(endpoint) ? FILES_MAX_BYTES : 2 ** 20) + 1;
  const [raw, type] = takesFile(endpoint) ? ['\0', 'image/png'] : ['x', 'text/plain'];
  return [
    await service.call(line, { raw: ' '.repeat(size) }),
    await service.call(line, { raw, headers: { 'content-type': type } }),
  ];
}

/** Refused calls: unsigned, for an unknown sub-account, too large, or signed without JSON. */
const signedRefusals = async (service: TestService, { endpoint, line, options }: Taken) => {
  const withoutSignature = unsigned({ line, options });
  const elsewhere = line.replace(service.subAccountId, crypto.randomUUID());
  if (endpoint.method === 'GET') {
    return [
      await service.call(withoutSignature.line, withoutSignature.options),
      await service.call(elsewhere, { key: null }),
    ];
  }
  const signed = (raw: string, type: string) =>
    service.call(line, {
      key: null,
      raw,
      headers: { 'content-type': type, 'x-signature': signatureOf(raw) },
    });
  return [
    await service.call(line, { key: null, raw: '{}' }),
    await service.call(elsewhere, { raw: '{}' }),
    await signed('{}', 'application/json'),
    await signed('x', 'text/plain'),
    await signed(' '.repeat(25 * 2 ** 20 + 1), 'application/json'),
  ];
};

/** The same schema, with no room for members it does not name. */
function closed(schema: unknown): TSchema {
  if (Array.isArray(schema)) {
    return schema.map(closed);
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema as TSchema;
  }
  const members = Object.entries(schema).map(([name, member]) => [name, closed(member)]);
  const isRecord = 'properties' in schema && !('additionalProperties' in schema);
  return { ...Object.fromEntries(members), ...(isRecord && { additionalProperties: false }) };
}
