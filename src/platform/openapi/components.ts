import { pascalCase, singular } from './names.ts';

/** A schema as plain JSON. */
export type Schema = Readonly<Record<string, unknown>>;

/** The named schemas of a document. Equal schemas have one name. */
export interface Components {
  /**
   * Returns the schema with every object and every named schema replaced by a reference. A new object
   * gets the name, its members are named after it.
   */
  place(schema: object, name: string): Schema;
  /** Like `place`, for a schema whose parts are in place; the first name that is not taken is used. */
  add(schema: Schema, ...names: readonly string[]): Schema;
  /** Every schema that was placed, by name, in alphabetical order. */
  all(): Readonly<Record<string, Schema>>;
}

/** Opens the components of a document; the schemas in `declared` are named from the start. */
export function openComponents(declared: ReadonlyMap<string, object>): Components {
  const names = new Map<string, string>();
  const schemas = new Map<string, Schema>();
  for (const [name, schema] of declared) {
    const text = textOf(bare(plain(schema)));
    // Of equal schemas, the first name counts.
    names.set(text, names.get(text) ?? name);
  }
  const context: Context = { names, schemas };
  return {
    place: (schema, name) => place(context, plain(schema), name),
    add: (schema, ...wanted) => addPlaced(context, schema, wanted),
    all: () => Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

interface Context {
  /** By the text of the schema, before its parts are in place. */
  readonly names: Map<string, string>;
  readonly schemas: Map<string, Schema>;
}

function place(context: Context, schema: Schema, name: string): Schema {
  const nullable = withoutNull(schema);
  if (nullable && isNamed(context, nullable)) {
    const { description, ...rest } = nullable;
    return { anyOf: [place(context, rest, name), { type: 'null' }], ...describedBy(description) };
  }
  if (!isNamed(context, schema)) {
    return withParts(context, schema, name);
  }
  const { description } = schema;
  const text = textOf(bare(schema));
  const known = context.names.get(text) ?? name;
  if (!context.schemas.has(known)) {
    context.names.set(text, known);
    // Reserved first, so that the components are in the order of their use.
    context.schemas.set(known, {});
    context.schemas.set(known, withParts(context, bare(schema), known));
  } else if (!context.names.has(text)) {
    throw new Error(`two schemas are called ${known}: name one in src/registry/schema-names.ts`);
  }
  return { ...refTo(known), ...describedBy(description) };
}

function addPlaced({ names, schemas }: Context, schema: Schema, wanted: readonly string[]): Schema {
  const text = textOf(schema);
  const name = names.get(text) ?? wanted.find((one) => !schemas.has(one));
  if (name === undefined) {
    throw new Error(`${wanted.join(' and ')} are taken by other schemas`);
  }
  names.set(text, name);
  schemas.set(name, schema);
  return refTo(name);
}

/** Whether the schema becomes a component: objects with members, and schemas with a declared name. */
const isNamed = ({ names }: Context, schema: Schema): boolean =>
  (schema['type'] === 'object' && schema['properties'] !== undefined) ||
  names.has(textOf(bare(schema)));

/** Returns the schema with references in place of its members, items and alternatives. */
function withParts(context: Context, schema: Schema, name: string): Schema {
  const { properties, patternProperties, items, anyOf } = schema;
  const members = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>);
  return {
    ...schema,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        members.map(([key, member]) => [
          key,
          place(context, member, name + pascalCase(isList(member) ? singular(key) : key)),
        ]),
      ),
    }),
    ...(patternProperties !== undefined && {
      patternProperties: Object.fromEntries(
        Object.entries(patternProperties as Readonly<Record<string, Schema>>).map(([key, one]) => [
          key,
          place(context, one, singular(name)),
        ]),
      ),
    }),
    ...(items !== undefined && { items: place(context, items as Schema, name) }),
    ...(Array.isArray(anyOf) && {
      anyOf: (anyOf as Schema[]).map((one, at) =>
        place(context, one, at === 0 ? name : `${name}${at + 1}`),
      ),
    }),
  };
}

const isList = ({ type }: Schema): boolean => [type].flat().includes('array');

/** Returns the schema of `type: [t, "null"]` without the null; undefined for other schemas. */
function withoutNull({ type, enum: values, ...rest }: Schema): Schema | undefined {
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  if (types.length !== 1 || types.length === (type as unknown[]).length) {
    return undefined;
  }
  const left = Array.isArray(values) ? { enum: values.filter((one) => one !== null) } : undefined;
  return { ...rest, type: types[0], ...left };
}

const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const describedBy = (description: unknown) =>
  description === undefined ? undefined : { description };

/** The same schema may be described differently where it is used. */
const bare = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== 'description'));

/** Without the symbols and functions of the schema library. */
const plain = (schema: object): Schema => JSON.parse(JSON.stringify(schema)) as Schema;

/** The same text for equal schemas, whatever the order of their keywords. */
const textOf = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : key === 'required' && Array.isArray(value)
        ? value.map(String).toSorted((a, b) => (a < b ? -1 : 1))
        : value,
  );
