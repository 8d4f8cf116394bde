/**
 * Returns the document with every reference replaced by what it names, and `anyOf: [schema, null]`
 * by the schema with another type: a page shows each schema where it is used.
 */
export function inlineReferences<T extends object>(document: T): T {
  const inlined = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(inlined);
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const { $ref, ...rest } = value as { readonly $ref?: unknown };
    if (typeof $ref !== 'string') {
      return nullable(
        Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inlined(one)])),
      );
    }
    const found = $ref
      .slice('#/'.length)
      .split('/')
      .reduce<any>((at, name) => at?.[name], document);
    return { ...(inlined(found) as object), ...rest };
  };
  return inlined(document) as T;
}

/** A single schema or null, as one schema of two types. */
function nullable({ anyOf, ...rest }: Readonly<Record<string, unknown>>): object {
  const [first, last, ...more] = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  if (!first || last?.type !== 'null' || more.length > 0 || typeof first.type !== 'string') {
    return anyOf === undefined ? rest : { anyOf, ...rest };
  }
  const { enum: values } = first;
  return {
    ...first,
    ...rest,
    type: [first.type, 'null'],
    ...(values && { enum: [...values, null] }),
  };
}

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
}
