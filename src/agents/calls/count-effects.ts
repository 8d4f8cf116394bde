import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import type { View } from '#core/work.ts';
import type { CallResponse } from '#platform/http/response.ts';
import type { PreparedCall } from './in-process.ts';

/** Returns the numbers that the endpoint of a call counts itself, such as mails, once its changes are made. */
export async function countEffects(
  view: View,
  { endpoint: { agent }, request }: PreparedCall,
  { text }: Pick<CallResponse, 'text'>,
): Promise<Effects> {
  if (!agent?.effects) {
    return {};
  }
  const { data } = JSON.parse(text.toString()) as { readonly data?: object };
  return agent.effects(view, { ...request.params, ...data });
}
