import type { Endpoint } from '#core/endpoint/endpoint.ts';
import type { Paging } from '#core/endpoint/paging.ts';
import { exampleId, exampleOf } from '#core/schema/example.ts';
import type { Components, Schema } from './components.ts';
import { camelCase, operationName, singular } from './names.ts';
import { textsOf, type OperationContext } from './request-body.ts';
import { headersOf, isAdmitting } from './responses.ts';
import { tellingExample } from './telling-example.ts';
import { Type, type TObject, type TSchema } from 'typebox';
import * as s from '#core/schema/schema.ts';

/** Returns the successful responses of an endpoint, by status. Those without an example get a generated one. */
export function successesOf(
  endpoint: Endpoint,
  { components, responseExamples }: OperationContext,
): object {
  const { status = 200, otherStatus, data, documents } = endpoint;
  const isEnvelope = documents === undefined || (data as { type?: unknown }).type !== 'null';
  const schema = isEnvelope && placedEnvelope(endpoint, components);
  const known = responseExamples[endpoint.id];
  const envelope = (one: number) =>
    schema && {
      'application/json': { schema, example: known?.[one] ?? responseExample(endpoint) },
    };
  const success = (one: number) => ({
    description: one === 201 ? 'created' : 'success',
    headers: headersOf(endpoint, one),
    content: { ...envelope(one), ...textsOf(documents) },
  });
  return { [status]: success(status), ...(otherStatus && { [otherStatus]: success(otherStatus) }) };
}

/** Names the envelope after its record, or after the operation if it has a `meta` of its own. */
function placedEnvelope(endpoint: Endpoint, components: Components): Schema {
  const operation = operationName(endpoint.id);
  if (endpoint.bare) {
    return components.place(endpoint.data, `${operation}Response`);
  }
  const data = components.place(endpoint.data, `${operation}Data`);
  const found = metaOf(endpoint);
  const meta = found && components.place(found, `${operation}Meta`);
  const { items } = data as { readonly items?: Schema };
  const isPage = pagedOf(endpoint) !== undefined;
  const record = nameOf(items ?? data);
  const own = `${operation}Response`;
  const common = `${record}${items ? 'List' : ''}Response`;
  return components.add(
    {
      type: 'object',
      required: ['data', ...(meta ? ['meta'] : [])],
      properties: { data, ...(meta && { meta }) },
    },
    ...(record && (!meta || isPage) ? [common, own] : [own]),
  );
}

const nameOf = ({ $ref }: Schema): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;

/** The record has the id by which the path and other examples name it. */
function responseExample(endpoint: Endpoint): unknown {
  const example = tellingExample(exampleOf(envelopeOf(endpoint, endpoint.data)));
  const { data } = example as { readonly data?: unknown };
  const noun = camelCase(singular(endpoint.id.split('.')[0] ?? ''));
  const [record] = [data].flat() as [{ id?: unknown } | undefined];
  const isOwn = hasText(record, 'id') && RECORD_OF_NOUN.test(endpoint.id);
  if (isOwn) {
    (record as { id: unknown }).id = exampleId(`${noun}Id`);
  }
  return example;
}

const hasText = (record: unknown, name: string): boolean =>
  typeof (record as Readonly<Record<string, unknown>> | undefined)?.[name] === 'string';

/** Other operations return a record of another noun, such as a message of a conversation. */
const RECORD_OF_NOUN =
  /\.(?:list|get|create|update|upsert|delete|bot-update|merge|cancel|reschedule|move|set-status|complete|summary|send|schedule)$/;

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
export const pagedOf = (endpoint: Endpoint): Paging | undefined =>
  isAdmitting(endpoint) ? endpoint.paged : undefined;
