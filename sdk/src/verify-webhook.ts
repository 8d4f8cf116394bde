import { FrontdeskError } from './error.ts';
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
      message: 'the signature matches none of the secrets',
    });
  }
  if (!(Math.abs(now() - Number(timestamp)) <= toleranceSeconds * 1_000)) {
    throw new FrontdeskError({
      code: 'STALE_TIMESTAMP',
      message: `the delivery was sent more than ${toleranceSeconds} seconds ago or ahead`,
    });
  }
  return eventIn(body, headerOf(headers, 'x-webhook-event-id'));
}

/** An empty secret, from a variable that is not set, would accept any forged request. */
function secretsOf({ secret }: Delivery): readonly string[] {
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one === '')) {
    throw new TypeError('secret must be the complete signing secret');
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
  throw new TypeError('body must be the raw bytes of the request, not parsed JSON');
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
  throw new FrontdeskError({ code: 'UNREADABLE_EVENT', message: 'the delivery contains no event' });
}

type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns a header by its lower-case name, in any spelling of the source. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) {
    return headers.get(name) ?? undefined;
  }
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'object' ? value[0] : value;
}

const isHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Returns whether `sha256=<hex>` is the HMAC of the content under one of the secrets, in constant
 * time.
 */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signature: string | undefined,
  secrets: readonly string[],
): Promise<boolean> {
  const given = hmacOf(signature);
  if (!given) {
    return false;
  }
  for (const secret of secrets) {
    if (await isSignedWith(secret, given, content)) {
      return true;
    }
  }
  return false;
}

async function isSignedWith(
  secret: string,
  given: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = crypto;
  const bytes = new TextEncoder().encode(secret);
  const key = await subtle.importKey('raw', bytes, HMAC, false, ['verify']);
  return subtle.verify(HMAC, key, given, content);
}

function hmacOf(signature = ''): Uint8Array<ArrayBuffer> | undefined {
  const hex = /^sha256=([\da-f]{64})$/.exec(signature)?.[1];
  return hex === undefined
    ? undefined
    : Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
        Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
      );
}
