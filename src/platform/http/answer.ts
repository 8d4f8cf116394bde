import type { Endpoint } from '#core/endpoint/endpoint.ts';
import type { DeferredData, Document, Reply } from '#core/endpoint/reply.ts';
import { jsonText } from '#core/schema/json.ts';
import type { View } from '#core/work.ts';
import { errorText } from './errors/refusal.ts';

/** A whole answer: status, envelope, and whether it is a kept one; or what goes out in its place. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly replayed?: true;
  readonly document?: Document;
  readonly stream?: ReadableStream<Uint8Array>;
}

export const EMPTY: Reply = { data: null };

/** Reads the record that a change answers with, where the reply asks for it. */
export async function settled(view: View, reply: Reply | undefined): Promise<Reply> {
  const { data, ...rest } = reply ?? EMPTY;
  return { ...rest, data: typeof data === 'function' ? await (data as DeferredData)(view) : data };
}

export function answered(endpoint: Endpoint, reply: Reply = EMPTY): Answered {
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
