import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { issuesOf } from '#core/schema/check.ts';
import { FAULTS } from '#core/fault.ts';
import { openapi } from '#platform/openapi/document.ts';
import { endpoints } from '#registry/endpoints.ts';
import { tags } from '#registry/tags.ts';

const DOCUMENT = JSON.parse(
  JSON.stringify(openapi(endpoints, { version: '1.2.3', baseUrl: 'http://localhost:3000', tags })),
);
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
  readonly value: Record<string, unknown>;
}

const OPERATIONS: Operation[] = Object.values(DOCUMENT.paths).flatMap((one) =>
  Object.values(one as object),
);
const BODIES = OPERATIONS.flatMap(({ operationId, requestBody }) => {
  const { schema, examples = {} } = requestBody?.content['application/json'] ?? {};
  return schema ? [[operationId, schema, examples] as const] : [];
});

test.each(BODIES)(
  'the examples of bodies of %s are valid, with required fields and with all',
  (_, schema, all) => {
    const { required = [], properties } = schema as { required?: string[]; properties: object };
    const { least, whole } = all;
    const largest = whole ?? least;
    expect(Object.keys(least?.value ?? {}).sort()).toEqual(required.toSorted());
    expect(Object.keys(largest?.value ?? {}).sort()).toEqual(Object.keys(properties).sort());
    for (const { value } of Object.values(all)) {
      expect(issuesOf(schema, structuredClone(value))).toEqual([]);
    }
  },
);

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
    const { examples, schemas, responses } = DOCUMENT.components;
    expect(Object.keys(examples)).toEqual(Object.keys(FAULTS));
    for (const [code, { value }] of Object.entries<Example>(examples)) {
      expect(issuesOf(schemas.Error, structuredClone(value))).toEqual([]);
      expect(value).toMatchObject({ error: { code } });
    }
    for (const { description, content } of Object.values<any>(responses)) {
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
    expect(JSON.stringify(DOCUMENT, null, 2).length).toBeLessThan(LIMIT_BYTES * 0.8);
  });
});
