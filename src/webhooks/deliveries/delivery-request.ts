import { SUBSCRIPTION_HEADER } from '../agents/agent-request.ts';
import { signatureHeaders, type SigningKeys } from './signature.ts';

interface Sender {
  readonly userAgent: string;
  readonly keys: SigningKeys;
  readonly agent?: { readonly handle: string } | undefined;
}

/** Returns the headers of the request that delivers an event. `id` is that of the attempt. */
export function deliveryHeaders(
  { userAgent, keys, agent }: Sender,
  { name, eventId }: { readonly name: string; readonly eventId: string },
  id: string,
  signed: { readonly body: string; readonly timestampMs: number },
): Record<string, string> {
  const headers = signatureHeaders(keys, { eventId, ...signed });
  headers['content-type'] = 'application/json';
  headers['user-agent'] = userAgent;
  headers['x-webhook-event'] = name;
  headers['x-webhook-event-id'] = eventId;
  headers['x-webhook-delivery'] = id;
  if (agent) {
    headers[SUBSCRIPTION_HEADER] = agent.handle;
  }
  return headers;
}
