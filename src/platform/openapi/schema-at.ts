import type { TSchema } from 'typebox';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { metaOf } from './success.ts';

interface Members {
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
}

/** Returns the schema at `endpoint/part/member/[]`. Throws if it does not exist. */
export function schemaAt(endpoints: readonly Endpoint[], place: string): TSchema {
  const [id, part, ...members] = place.split('/');
  const endpoint = endpoints.find((one) => one.id === id);
  let schema = endpoint && (part === 'meta' ? metaOf(endpoint) : endpoint[part as 'body' | 'data']);
  for (const member of members) {
    const { items, anyOf, properties } = (schema ?? {}) as Members;
    schema = member === '[]' ? items : (anyOf?.[Number(member)] ?? properties?.[member]);
  }
  if (!schema) {
    throw new Error(`${place} is not declared`);
  }
  return schema;
}
