import { newId } from '#lib/id.ts';
import { signatureHeaders, type SigningKey } from '../../webhooks/deliveries/signature.ts';
import { failureOf, type FeedEvent } from './read-feed.ts';

/** The same as for deliveries. */
const TIMEOUT_MS = 15_000;

interface Receiver {
  readonly forwardTo: string;
  readonly key: SigningKey;
}

export interface Forwarded {
  readonly at: string;
  readonly responseStatus: number | null;
  /** Why there was no response. */
  readonly error: string | null;
  readonly durationMs: number;
}

/** Posts an event like a delivery. Private addresses are allowed: it is the developer's own machine. */
export async function forwardEvent(
  { id, event, timestamp, data }: FeedEvent,
  { forwardTo, key }: Receiver,
  signal: AbortSignal,
): Promise<Forwarded> {
  const at = new Date();
  const body = JSON.stringify({ event, timestamp, data });
  const started = performance.now();
  const outcome = await post(forwardTo, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Frontdesk-Webhooks/1.0',
      'x-webhook-event': event,
      'x-webhook-event-id': id,
      'x-webhook-delivery': newId(at),
      ...signatureHeaders({ current: key }, { eventId: id, body, timestampMs: at.getTime() }),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const durationMs = Math.round(performance.now() - started);
  return { at: at.toISOString(), ...outcome, durationMs };
}

async function post(url: string, request: RequestInit) {
  try {
    const { status, body } = await fetch(url, request);
    await body?.cancel();
    return { responseStatus: status, error: null };
  } catch (error) {
    return { responseStatus: null, error: failureOf(error) };
  }
}
