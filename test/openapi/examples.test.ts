import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { issuesOf } from '#core/schema/check.ts';
import { FAULTS } from '#core/fault.ts';
import { consoleEndpoints } from '#registry/console.ts';
import { endpoints } from '#registry/endpoints.ts';
import { REQUEST_EXAMPLES } from '#registry/request-examples.ts';
import { isRefused } from '#platform/openapi/request-body.ts';
import { DOCUMENT, INLINED } from '../support/openapi.ts';

const LIMIT_BYTES = 2 ** 20;

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly requestBody?: {
    readonly content: Record<string, { schema: TSchema; examples?: Record<string, Example> }>;
  };
}

interface Response {
  readonly content?: Record<string, { schema: TSchema; example?: unknown }>;
}

interface Example {
  readonly summary: string;
  readonly value: Record<string, unknown>;
}

const OPERATIONS: Operation[] = Object.values(INLINED.paths).flatMap((one) =>
  Object.values(one as object),
);
const BODIES = OPERATIONS.flatMap(({ operationId, requestBody }) => {
  const { schema, examples = {} } = requestBody?.content['application/json'] ?? {};
  return schema ? [[operationId, schema, examples] as const] : [];
});

test.each(BODIES)('the examples of bodies of %s are valid', (_, schema, all) => {
  expect(Object.keys(all)).not.toEqual([]);
  for (const { summary, value } of Object.values(all)) {
    expect(summary).toMatch(/\w/);
    expect(issuesOf(schema, structuredClone(value))).toEqual([]);
  }
});

test.each(BODIES.filter(([id]) => REQUEST_EXAMPLES.bodies[id] === undefined))(
  'the generated examples of %s are its required members and all members',
  (_, schema, { least, whole }) => {
    const { required = [], properties } = schema as { required?: string[]; properties: object };
    const members = Object.entries(properties).filter(([, member]) => !isRefused(member));
    expect(Object.keys(least?.value ?? {}).sort()).toEqual(required.toSorted());
    const largest = whole ?? least;
    const names = members.map(([name]) => name);
    expect(Object.keys(largest?.value ?? {}).sort()).toEqual(names.sort());
  },
);

test('an example in the registry belongs to an operation', () => {
  const ids = new Set([
    ...OPERATIONS.map((one) => one.operationId),
    ...consoleEndpoints.map((one) => one.id),
  ]);
  const { bodies, queries } = REQUEST_EXAMPLES;
  expect([...Object.keys(bodies), ...Object.keys(queries)].filter((id) => !ids.has(id))).toEqual(
    [],
  );
});

test.each(OPERATIONS.map((one) => [one.operationId, one] as const))(
  'the example of what %s answers fits',
  (_, { responses }) => {
    const success = Object.entries(responses).find(([status]) => Number(status) < 300);
    const { schema, example } = success?.[1].content?.['application/json'] ?? {};
    // A document, such as a stream, has none.
    expect(schema ? issuesOf(schema, structuredClone(example)) : []).toEqual([]);
    expect(schema === undefined).toBe(example === undefined);
  },
);

describe('the document', () => {
  test('contains an example of each refusal, in the envelope', () => {
    const { examples, schemas } = INLINED.components;
    // No operation answers 405, which is another method of its path, decides about approvals, or
    // applies a manifest.
    const others = new Set(['METHOD_NOT_ALLOWED', 'ALREADY_DECIDED', 'CHANGED_MEANWHILE']);
    const codes = Object.keys(FAULTS).filter((code) => !others.has(code));
    expect(Object.keys(examples)).toEqual(codes);
    for (const [code, { value }] of Object.entries<Example>(examples)) {
      expect(issuesOf(schemas.ApiError, structuredClone(value))).toEqual([]);
      expect(value).toMatchObject({ error: { code } });
    }
    for (const { description, content } of Object.values<any>(DOCUMENT.components.responses)) {
      expect(Object.keys(content['application/json'].examples).join(', ')).toBe(description);
    }
  });

  test('names the scope of every operation', () => {
    const scoped = endpoints.flatMap((one) =>
      one.kind === 'keyed' && one.access.kind === 'key' ? [{ ...one, access: one.access }] : [],
    );
    for (const { id, access, rate } of scoped) {
      const { description } = OPERATIONS.find(({ operationId }) => operationId === id) ?? {};
      expect(description).toContain(`\`${access.scope}\``);
      expect(description).toContain(`Counts as a ${rate}`);
    }
    expect(OPERATIONS.filter(({ description }) => !/Requires .+\.$/.test(description))).toEqual([]);
  });

  test('is smaller than the default output limit of child processes', () => {
    expect(JSON.stringify(DOCUMENT, null, 2).length).toBeLessThan(LIMIT_BYTES * 0.75);
  });
});

/** Opaque values, and members whose value is the word itself: the type of a field. */
const NEUTRAL =
  /^(?:senderPictureUrl|keyPrefix|nonce|salt|keySignature|signature|type|step|equals|token)$/;

/** Returns the names of members with the neutral text of generated examples. */
const neutralIn = (value: unknown, name = ''): string[] =>
  value === 'text'
    ? [name]
    : value !== null && typeof value === 'object'
      ? Object.entries(value).flatMap(([key, member]) =>
          neutralIn(member, Array.isArray(value) ? name : key),
        )
      : [];

test('the examples of responses have telling values', () => {
  const neutral = OPERATIONS.flatMap(({ operationId, responses }) =>
    Object.values(responses)
      .flatMap(({ content = {} }) => Object.values(content))
      .flatMap(({ example }) => neutralIn(example))
      .filter((name) => !NEUTRAL.test(name))
      .map((name) => `${operationId} ${name}`),
  );
  expect(neutral).toEqual([]);
});
