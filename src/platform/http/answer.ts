import type { Answer, Endpoint, Reply } from '#kit/endpoint.ts';
import { jsonText } from '#kit/json.ts';
import type { View } from '#kit/work.ts';

/** A whole answer: status, envelope, and whether it is a kept one. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly replayed?: true;
}

export const EMPTY: Reply = { data: null };

/** Reads the record that a change answers with, where the reply asks for it. */
export async function settled(view: View, reply: Reply | undefined): Promise<Reply> {
  const { data, ...rest } = reply ?? EMPTY;
  return { ...rest, data: typeof data === 'function' ? await (data as Answer)(view) : data };
}

export function answered(endpoint: Endpoint, reply: Reply = EMPTY): Answered {
  const { status, data, meta } = reply;
  const tail = meta ? `,"meta":${JSON.stringify(meta)}}` : '}';
  return { status: status ?? endpoint.status ?? 200, text: `{"data":${jsonText(data)}${tail}` };
}
