import type * as typebox from 'typebox';

/**
 * typebox's builders, as far as we use them: its types, and the same JSON Schema. typebox itself has
 * 370 modules, a sixth of what a server takes to start. A test compares what both build.
 */
type Builders = Pick<
  typeof typebox.Type,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>;

type Schema = Readonly<Record<string, unknown>>;

/** Schemas that a property may do without; a copy by spreading is not optional any more. */
const optional = new WeakSet<Schema>();

const ofType =
  (type: string) =>
  (options?: Schema): Schema => ({ type, ...options });

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Integer: ofType('integer'),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object(properties: Readonly<Record<string, Schema>>, options?: Schema) {
    const required = Object.keys(properties).filter(
      (name) => !optional.has(properties[name] ?? {}),
    );
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional(schema: Schema) {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  /** Any text is a key: others are not asked for. */
  Record: (_key: Schema, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: ofType('string'),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

export const Type = builders as unknown as Builders;
