import { Type, type TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { issuesOf } from '#core/schema/check.ts';
import { exampleId, exampleOf } from '#core/schema/example.ts';
import { FORMATS } from '#core/schema/formats.ts';
import * as s from '#core/schema/schema.ts';

describe('an example', () => {
  test.for<[string, TSchema, unknown]>([
    ['the first that the schema gives', Type.String({ examples: ['a', 'b'] }), 'a'],
    ['the first given, also of a choice', s.oneOf(['a', 'b'], { examples: ['b'] }), 'b'],
    ['the first of a choice', s.oneOf(['a', 'b']), 'a'],
    ['there where null would do', s.nullable(s.isoDate()), '2026-12-01'],
    ['there where null would do besides a choice', s.nullable(s.oneOf(['a', 'b'])), 'a'],
    ['the first of several schemas', Type.Union([Type.Boolean(), Type.Null()]), true],
    ['the least of a bounded number', Type.Integer({ minimum: 5 }), 5],
    ['1 of any other number', Type.Number(), 1],
    ['null where there is nothing else', Type.Null(), null],
    ['one item of a list', Type.Array(Type.String()), ['text']],
    [
      'whole where members may be left out',
      Type.Object({ a: Type.Optional(s.email()) }),
      { a: 'ada@example.com' },
    ],
  ])('is %s', ([, schema, wanted]) => {
    expect(exampleOf(schema)).toEqual(wanted);
  });

  test.for(Object.keys(FORMATS))('of format %s has that format', (format) => {
    const schema = Type.String({ format });
    expect(issuesOf(schema, exampleOf(schema))).toEqual([]);
  });

  test('has the same id for members of the same name, and others for others', () => {
    const { data } = { data: Type.Object({ stageId: s.uuid(), pipelineId: s.uuid() }) };
    expect(exampleOf(data)).toEqual({
      stageId: exampleId('stageId'),
      pipelineId: exampleId('pipelineId'),
    });
    expect(exampleId('stageId')).not.toBe(exampleId('pipelineId'));
  });
});
