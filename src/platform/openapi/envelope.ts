import { Type, type TObject, type TSchema } from 'typebox';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import * as s from '#core/schema/schema.ts';
import { isAdmitting } from './responses.ts';

/** Returns the schema of a response: `{data, meta?}`, or the data alone if the endpoint is `bare`. */
export function envelopeOf(endpoint: Endpoint, data: TSchema): TSchema {
  if (endpoint.bare) {
    return data;
  }
  const meta = metaOf(endpoint);
  return Type.Object({ data, ...(meta && { meta }) });
}

/** Returns the schema of `meta`, with the members of paging, if the endpoint has any. */
export function metaOf(endpoint: Endpoint): TObject | undefined {
  const paged = pagedOf(endpoint);
  const members = {
    ...endpoint.meta?.properties,
    ...(paged && {
      hasMore: Type.Boolean(),
      cursor: paged === 'feed' ? Type.String() : s.nullable(Type.String()),
    }),
  };
  return Object.keys(members).length > 0 ? Type.Object(members) : undefined;
}

/** Returns how an endpoint pages its data, if it does. */
export const pagedOf = (endpoint: Endpoint): true | 'feed' | undefined =>
  isAdmitting(endpoint) ? endpoint.paged : undefined;
