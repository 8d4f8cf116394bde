import type { CallResponse } from './headers.ts';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import type { DeferredData, Reply } from '#core/endpoint/reply.ts';
import { jsonText } from '#core/schema/json.ts';
import type { View } from '#core/work.ts';
import { errorText } from './errors.ts';

/** Returns the reply with its data, which may be read only after the change is written. */
export async function withData(view: View, { data, ...rest }: Reply): Promise<Reply> {
  return { ...rest, data: typeof data === 'function' ? await (data as DeferredData)(view) : data };
}

/** Puts the data of a reply into the envelope of its endpoint. */
export function responseOf(endpoint: Endpoint, reply: Reply): CallResponse {
  const { data, meta, document, refusal } = reply;
  if (refusal) {
    return { status: refusal.status, text: errorText(refusal) };
  }
  const status = reply.status ?? endpoint.status ?? 200;
  if (document) {
    return { status, text: '', document };
  }
  if (endpoint.bare) {
    return { status, text: jsonText(data) };
  }
  const tail = meta ? `,"meta":${JSON.stringify(meta)}}` : '}';
  return { status, text: `{"data":${jsonText(data)}${tail}` };
}
