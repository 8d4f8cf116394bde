type Schema = Readonly<Record<string, unknown>>;

/**
 * Keywords that a model needs to fill in a value. The others cost space in every list of tools; the
 * endpoint checks them when it is called.
 */
const KEPT = new Set(['type', 'enum', 'required', 'description', 'additionalProperties']);

/** Formats that a model must know; `email` and `uuid` follow from the names of fields. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'YYYY-MM-DD',
  e164: 'E.164, such as +4930123456',
  'time-zone': 'such as Europe/Berlin',
  currency: 'such as EUR',
};

const INSTANT = oneOfTypes(['integer', 'string'], {
  description: 'epoch ms or ISO 8601 with offset',
});

/** Returns an input schema as short as it can be, for a list of tools. */
export function compactInput(schema: Schema): Schema {
  const { type, format, properties, items } = schema;
  if (format === 'date-time' && Array.isArray(type)) {
    return INSTANT;
  }
  const { additionalProperties, ...kept } = Object.fromEntries(
    Object.entries(schema).filter(([name]) => KEPT.has(name)),
  );
  const compact = {
    ...kept,
    ...(typeof format === 'string' && FORMATS[format] && { description: FORMATS[format] }),
    ...(properties !== undefined && { properties: compactMembers(properties as Schema) }),
    ...(items !== undefined && { items: compactInput(items as Schema) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? compactInput(additionalProperties as Schema)
          : additionalProperties,
    }),
  };
  return Array.isArray(type) ? oneOfTypes(type as readonly string[], compact) : compact;
}

/**
 * Returns the schema of a value of several types as alternatives of one type each: some models'
 * providers refuse a list of types.
 */
export function oneOfTypes(types: readonly string[], { description, ...rest }: Schema): Schema {
  const constraints = {
    ...rest,
    ...(rest['enum'] !== undefined && { enum: textsOf(rest['enum']) }),
  };
  return {
    ...(description !== undefined && { description }),
    anyOf: types.map((type) => (type === 'null' ? { type } : { ...constraints, type })),
  };
}

const textsOf = (values: unknown): unknown[] =>
  (values as readonly unknown[]).filter((value) => value !== null);

const compactMembers = (properties: Schema): Schema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, compactInput(member as Schema)]),
  );

/**
 * Returns the type of the data and the names of its members, without their types: results describe
 * themselves, and names are enough to plan with.
 */
export function compactData(schemas: readonly Schema[]): Schema {
  const types = new Set(schemas.map(typeOf));
  const [type = 'object'] = types;
  if (types.size > 1) {
    return oneOfTypes([...types].toSorted(), {});
  }
  const isList = type === 'array';
  const records = isList ? schemas.map(({ items }) => items as Schema) : schemas;
  const required = commonTo(records.flatMap(alternatives).map(requiredIn));
  const record = { type: 'object', ...(required.length > 0 && { required }) };
  return isList ? { type, items: record } : record;
}

const typeOf = (schema: Schema): string => (schema['type'] === 'array' ? 'array' : 'object');

/** Returns the members of a union, or the schema itself. */
const alternatives = (schema: Schema): readonly Schema[] =>
  (schema['anyOf'] as readonly Schema[] | undefined) ?? [schema];

const requiredIn = ({ required }: Schema): readonly string[] =>
  (required as readonly string[] | undefined) ?? [];

const commonTo = ([first = [], ...rest]: readonly (readonly string[])[]): string[] =>
  first.filter((name) => rest.every((names) => names.includes(name)));
