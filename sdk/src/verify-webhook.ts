import { FrontdeskError } from './error.ts';
import { headerOf, type WebhookHeaders } from './header-of.ts';
import { isSigned } from './is-signed.ts';
import type { WebhookEvent } from './webhook-event.ts';

const TOLERANCE_SECONDS = 300;

/** A received delivery. */
export interface Delivery {
  /** The raw bytes: JSON that was parsed and serialised again has other bytes. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** `Headers`, or Node's `request.headers`. */
  readonly headers: WebhookHeaders;
  /**
   * The complete secret, including `whsec_`. Several during a rotation: any of them is accepted.
   */
  readonly secret: string | readonly string[];
  /** The allowed difference of the time of sending. Default: 5 minutes. */
  readonly toleranceSeconds?: number | undefined;
  /**
   * Also accepts signatures that do not cover the time of sending: `X-Webhook-Signature`, and
   * `X-Webhook-Signature-Previous` for a receiver that still has the old secret. Recorded
   * deliveries can then be replayed, so use it only during a rotation.
   */
  readonly acceptUntimed?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns the event of a genuine and recent delivery. Throws a FrontdeskError for others: return
 * 401. Use `id` to recognise repeats.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { headers, toleranceSeconds = TOLERANCE_SECONDS, acceptUntimed = false } = delivery;
  const { now = Date.now } = delivery;
  const body = bytesOf(delivery.body);
  const secrets = secretsOf(delivery);
  const timestamp = headerOf(headers, 'x-webhook-timestamp') ?? '';
  const timed = joined(new TextEncoder().encode(`${timestamp}.`), body);
  const signed = (header: string, content: Uint8Array<ArrayBuffer>) =>
    isSigned(content, headerOf(headers, header), secrets);

  const isGenuine =
    (await signed('x-webhook-signature-v2', timed)) ||
    (acceptUntimed &&
      ((await signed('x-webhook-signature', body)) ||
        (await signed('x-webhook-signature-previous', body))));
  if (!isGenuine) {
    throw new FrontdeskError({
      code: 'INVALID_SIGNATURE',
      message: 'the delivery is not signed with a secret that is known here',
    });
  }
  if (!(Math.abs(now() - Number(timestamp)) <= toleranceSeconds * 1_000)) {
    throw new FrontdeskError({
      code: 'STALE_TIMESTAMP',
      message: `the delivery was sent more than ${toleranceSeconds} seconds off`,
    });
  }
  return eventIn(body, headerOf(headers, 'x-webhook-event-id'));
}

/** An empty secret, from a variable that is not set, would accept any forged request. */
function secretsOf({ secret }: Delivery): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one === '')) {
    throw new TypeError('secret must be the whole signing secret');
  }
  return secrets;
}

function bytesOf(body: Delivery['body']): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') {
    return new TextEncoder().encode(body);
  }
  // Checked by its methods: in a test runner it may come from another realm.
  if (typeof body === 'object' && 'byteLength' in body) {
    return new Uint8Array(body);
  }
  throw new TypeError('body must be what came over the wire, not what a parser made of it');
}

function joined(
  head: Uint8Array<ArrayBuffer>,
  tail: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}

/** Signed content comes from Frontdesk; this refuses other content signed with the same secret. */
function eventIn(body: Uint8Array<ArrayBuffer>, id: string | undefined): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    const { event: name, data } = event;
    if (id !== undefined && typeof name === 'string' && typeof data === 'object' && data !== null) {
      return { ...event, id };
    }
  } catch {
    // Invalid JSON is not an event.
  }
  throw new FrontdeskError({ code: 'UNREADABLE_EVENT', message: 'the delivery holds no event' });
}
