import * as typebox from 'typebox';
import { expect, test } from 'vitest';
import { Type } from '#core/schema/type.ts';

/** What a schema is built of here, by either. */
function build(by: Pick<typeof typebox.Type, keyof typeof Type>): object {
  const text = by.String({ minLength: 1, description: 'text' });
  return by.Object(
    {
      text,
      maybe: by.Optional(text),
      whole: by.Optional(by.Integer({ minimum: 0 })),
      some: by.Array(by.Number(), { maxItems: 3 }),
      flag: by.Boolean({ default: true }),
      yes: by.Literal(true),
      either: by.Union([by.Null(), by.Object({ inner: by.Optional(by.Unknown()) })]),
      map: by.Record(by.String(), by.Boolean(), { maxProperties: 9 }),
      any: by.Unknown(),
      free: by.Unsafe<string | number>({ type: ['string', 'number'] }),
      freeMaybe: by.Optional(by.Unsafe<string>({ enum: ['a', 'b'] })),
    },
    { additionalProperties: false },
  );
}

test('the builders make the JSON Schema that typebox makes', () => {
  expect(JSON.stringify(build(Type))).toBe(JSON.stringify(build(typebox.Type)));
});

test('a copy of an optional schema is required, as with typebox', () => {
  const copied = (by: typeof Type) => by.Object({ one: { ...by.Optional(by.String()) } });
  expect(copied(Type)).toEqual(JSON.parse(JSON.stringify(copied(typebox.Type))));
});
