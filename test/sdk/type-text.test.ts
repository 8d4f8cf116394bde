import { Type, type TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import * as s from '#core/schema/schema.ts';
import { tsdoc } from '../../sdk/generator/tsdoc.ts';
import { typeText, type Use } from '../../sdk/generator/type-text.ts';

/** The text by which `Stage` is recognised. */
const STAGE = '"lead" | "customer"';
const stage = s.oneOf(['lead', 'customer']);

const textOf = (schema: TSchema, use: Use) =>
  typeText(schema, { use, nameOf: (bare) => (bare === STAGE ? 'Stage' : undefined) });

describe('a schema as TypeScript', () => {
  test.for<[string, TSchema, string, string?, string?]>([
    ['text of whatever format', s.email(), 'string'],
    ['a whole number', Type.Integer({ minimum: 1 }), 'number'],
    ['what may be null', s.nullable(s.isoTime()), 'string | null'],
    ['null alone', Type.Null(), 'null'],
    [
      'one of several types',
      s.nullable(Type.Union([Type.String(), Type.Number()])),
      'string | number | null',
    ],
    ['one value', Type.Literal(true), 'true'],
    ['words', s.oneOf(['a', "it's"]), '"a" | "it\'s"'],
    ['words that have a name', stage, 'Stage'],
    ['the same, or null', s.nullable(stage), 'Stage | null'],
    ['anything', Type.Unknown(), 'unknown'],
    ['a list', Type.Array(stage), 'Stage[]', 'readonly Stage[]', 'Stage | readonly Stage[]'],
    [
      'a list of either',
      Type.Array(Type.Union([stage, Type.Null()])),
      '(Stage | null)[]',
      'readonly (Stage | null)[]',
    ],
    [
      'free keys',
      Type.Record(Type.String(), Type.Number()),
      'Record<string, number>',
      'Readonly<Record<string, number>>',
    ],
    [
      'free keys with rules of their own',
      Type.Unsafe({ type: 'object', additionalProperties: { type: ['string', 'null'] } }),
      'Record<string, string | null>',
      'Readonly<Record<string, string | null>>',
    ],
    [
      'members, which a caller may leave undefined and we leave out',
      s.request({ id: s.uuid(), 'a-b': Type.Optional(s.epochMs()) }),
      '{\nid: string;\n/** epoch ms */\n"a-b"?: number;\n}',
      '{\nid: string;\n/** epoch ms */\n"a-b"?: number | undefined;\n}',
    ],
    [
      'a member that is refused in words',
      s.request({ status: Type.Optional(Type.Unsafe({ description: 'has a call' })) }),
      '{\n/** has a call */\nstatus?: unknown;\n}',
      '{\n/** has a call */\nstatus?: never;\n}',
    ],
  ])('%s', ([, schema, answer, body = answer, query]) => {
    const uses: Use[] = ['answer', 'body', ...(query ? (['query'] as const) : [])];
    expect(uses.map((use) => textOf(schema, use))).toEqual(
      [answer, body, query].slice(0, uses.length),
    );
  });

  test.for([{ oneOf: [] }, { $ref: '#/x' }, { not: {} }, { type: 'bigint' }])(
    'is not guessed: %j',
    (schema) => {
      expect(() => textOf(schema, 'answer')).toThrow('unsupported');
    },
  );
});

describe('a comment', () => {
  test('fits on one line or is wrapped by paragraph', () => {
    expect(tsdoc(['Get one.'])).toBe('/** Get one. */');
    expect(tsdoc(['Get one.', 'word '.repeat(30).trim()])).toBe(
      `/**\n * Get one.\n *\n * ${'word '.repeat(18).trim()}\n * ${'word '.repeat(12).trim()}\n */`,
    );
  });

  test('is not ended by its content', () => {
    expect(tsdoc(['a */ b'])).toBe('/** a *\\/ b */');
  });
});
