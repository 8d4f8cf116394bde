import { describe, expect, test } from 'vitest';
import { endpoints } from '#registry/endpoints.ts';
import { webhookEventNames } from '#registry/events.ts';
import { openapiDocument } from '#registry/openapi.ts';
import { CONSOLE_SCHEMA_NAMES, SCHEMA_NAMES } from '#registry/schema-names.ts';
import { openComponents } from '#platform/openapi/components.ts';
import { operationName, pascalCase, singular } from '#platform/openapi/names.ts';
import { CONSOLE_DOCUMENT, DOCUMENT } from '../support/openapi.ts';

const { schemas } = DOCUMENT.components;
const BOTH = [
  ['API', DOCUMENT],
  ['console', CONSOLE_DOCUMENT],
] as const;
const ABOUT = { version: '1.2.3', baseUrl: 'http://localhost:3000' };

/** Every schema below a value, with its place. */
function schemasIn(value: unknown, place: string): (readonly [string, any])[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const isSchema = 'properties' in value && 'type' in value;
  return [
    ...(isSchema ? [[place, value] as const] : []),
    ...Object.entries(value)
      .filter(([key]) => !/^examples?$/.test(key))
      .flatMap(([key, one]) => schemasIn(one, `${place}/${key}`)),
  ];
}

describe('schemas', () => {
  test('of records, bodies and events are components', () => {
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'Contact',
        'Appointment',
        'Message',
        'Conversation',
        'Opportunity',
        'Task',
        'Webhook',
        'CreateContactBody',
        'UpdateContactBody',
        'CreateAppointmentBody',
        'SendMessageBody',
        'ContactListResponse',
        'AppointmentResponse',
        'PageMeta',
        'ApiError',
        'SubscribedEvent',
        ...webhookEventNames.map((name) => `${pascalCase(name)}Event`),
      ]),
    );
  });

  test.for(BOTH)('of the %s with members are never written in place', ([, document]) => {
    const { paths, webhooks } = document;
    const { schemas: all, parameters, responses } = document.components;
    expect(schemasIn({ paths, webhooks, parameters, responses }, '').map(([at]) => at)).toEqual([]);
    for (const [name, schema] of Object.entries(all)) {
      const inner = schemasIn(schema, name).filter(([at]) => at !== name);
      expect(inner.map(([at]) => at)).toEqual([]);
    }
  });

  test.for(BOTH)('of the %s that are equal have one name', ([, document]) => {
    const texts = Object.values(document.components.schemas).map((schema) =>
      JSON.stringify(schema),
    );
    expect(new Set(texts).size).toBe(texts.length);
  });

  test.for(BOTH)('of the %s are sorted, and used', ([, document]) => {
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(names.toSorted());
    const text = JSON.stringify(document);
    const unused = names.filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    expect(unused).toEqual([]);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual([]);
  });

  test('have the names of the registry', () => {
    const missing = Object.keys(SCHEMA_NAMES).filter((name) => !(name in schemas));
    expect(missing).toEqual([]);
    const own = Object.keys(CONSOLE_SCHEMA_NAMES);
    expect(own.filter((name) => !(name in CONSOLE_DOCUMENT.components.schemas))).toEqual([]);
  });
});

describe('the document', () => {
  test('is the same at every call, with its paths sorted', () => {
    expect(JSON.stringify(openapiDocument(ABOUT))).toBe(JSON.stringify(DOCUMENT));
    const paths = Object.keys(DOCUMENT.paths);
    expect(paths).toEqual(paths.toSorted());
  });

  test('describes every operation, tag and parameter', () => {
    const tags = new Map<string, string>(
      DOCUMENT.tags.map((tag: { name: string; description: string }) => [
        tag.name,
        tag.description,
      ]),
    );
    for (const operations of Object.values<object>(DOCUMENT.paths)) {
      for (const { operationId, summary, description, tags: own } of Object.values<any>(
        operations,
      )) {
        expect([operationId, summary.length > 5, description.length > 5]).toEqual([
          operationId,
          true,
          true,
        ]);
        expect(own.every((tag: string) => tags.get(tag))).toBe(true);
      }
    }
    const used = new Set(endpoints.map(({ id }) => id.split('.')[0] ?? ''));
    expect(new Set(tags.keys())).toEqual(used);
  });
});

describe('names', () => {
  test.for([
    ['contacts.create', 'CreateContact'],
    ['contacts.bot-update', 'BotUpdateContact'],
    ['opportunities.list', 'ListOpportunity'],
    ['callbacks.inbound.challenge', 'InboundChallengeCallback'],
    ['chat.config', 'ConfigChat'],
  ])('%s is %s', ([id = '', name]) => {
    expect(operationName(id)).toBe(name);
  });

  test('of one of several are singular', () => {
    expect(['stages', 'entries', 'status', 'address', 'hour'].map(singular)).toEqual([
      'stage',
      'entry',
      'status',
      'address',
      'hour',
    ]);
  });
});

describe('components', () => {
  const object = (properties: object, more: object = {}) => ({
    type: 'object',
    properties,
    ...more,
  });

  test('name members of an object after it, and list items in the singular', () => {
    const components = openComponents(new Map());
    const inner = object({ id: { type: 'string' } });
    const schema = object({ stages: { type: 'array', items: inner }, total: object({}) });
    expect(components.place(schema, 'Pipeline')).toEqual({ $ref: '#/components/schemas/Pipeline' });
    expect(Object.keys(components.all())).toEqual(['Pipeline', 'PipelineStage', 'PipelineTotal']);
  });

  test('keep the description of a place, and the null of a nullable object', () => {
    const components = openComponents(new Map());
    const schema = { ...object({}), type: ['object', 'null'], description: 'the owner' };
    expect(components.place(schema, 'Owner')).toEqual({
      anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }],
      description: 'the owner',
    });
  });

  test('refuse one name for two schemas', () => {
    const components = openComponents(new Map());
    components.place(object({ a: { type: 'string' } }), 'Thing');
    expect(() => components.place(object({ b: { type: 'string' } }), 'Thing')).toThrow(
      'two schemas are called Thing',
    );
  });
});
