import { FrontdeskError } from './error.ts';
import { headerOf, type WebhookHeaders } from './header-of.ts';
import { isSigned } from './is-signed.ts';
import type { WebhookEvent } from './webhook-event.ts';

const TOLERANCE_SECONDS = 300;

/** A delivery as it came in. */
export interface Delivery {
  /** The bytes, before anything parses them: JSON that was parsed and written again has others. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** `Headers`, or Node's `request.headers`. */
  readonly headers: WebhookHeaders;
  /** Whole, `whsec_` included. Several while they are being changed: any of them will do. */
  readonly secret: string | readonly string[];
  /** How far the time of sending may be off. 5 minutes unless given. */
  readonly toleranceSeconds?: number | undefined;
  /**
   * Also takes the signatures that do not cover the time of sending: `X-Webhook-Signature`, and
   * `X-Webhook-Signature-Previous` of a receiver that has but the old secret yet. Whoever recorded a
   * delivery can then send it again, so leave it off but for the time of a rotation.
   */
  readonly acceptUntimed?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * The event of a delivery that is genuine and fresh. Throws a FrontdeskError for any other: answer
 * 401 to that. Its `id` is what to tell repetitions by.
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

/** An empty one would let everybody in, and comes of a variable that is not set. */
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
  // By what it has: what a test runner hands over may be of another realm.
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

/** What is signed was written by Frontdesk; this finds who signs something else with that secret. */
function eventIn(body: Uint8Array<ArrayBuffer>, id: string | undefined): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
    const { event: name, data } = event;
    if (id !== undefined && typeof name === 'string' && typeof data === 'object' && data !== null) {
      return { ...event, id };
    }
  } catch {
    // No JSON is no event either.
  }
  throw new FrontdeskError({ code: 'UNREADABLE_EVENT', message: 'the delivery holds no event' });
}
