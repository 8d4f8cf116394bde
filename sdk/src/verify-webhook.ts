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
   * Also accepts deliveries without the headers of Standard Webhooks: `X-Webhook-Signature-V2` covers
   * the time and the body, but not the id. For five minutes, a recorded delivery can then be
   * replayed under another id.
   */
  readonly acceptUnsignedId?: boolean | undefined;
  /**
   * Also accepts signatures that do not cover the time of sending: `X-Webhook-Signature` and
   * `X-Webhook-Signature-Previous`. Recorded deliveries can then be replayed.
   */
  readonly acceptUntimed?: boolean | undefined;
  /** Epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * Returns the event of a genuine and recent delivery. The signature of Standard Webhooks must match a
 * secret; for a secret whose text after `whsec_` is not base64, it is `X-Webhook-Signature-V2`. Throws
 * a FrontdeskError for others: return 401. Use `id` to recognise repeats.
 */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { headers, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now } = delivery;
  const body = bytesOf(delivery.body);
  const secrets = secretsOf(delivery);
  const proof = await firstGenuine(proofsOf(delivery, body), secrets);
  const named = headerOf(headers, 'x-webhook-event-id');
  const id = proof?.id ?? headerOf(headers, 'webhook-id') ?? named;
  // Only one of the two headers is signed.
  if (!proof || (named ?? id) !== id) {
    throw new FrontdeskError({
      code: 'INVALID_SIGNATURE',
      message:
        'the signature matches none of the secrets, or X-Webhook-Event-Id differs from webhook-id',
    });
  }
  if (!(Math.abs(now() - proof.sentAtMs) <= toleranceSeconds * 1_000)) {
    throw new FrontdeskError({
      code: 'STALE_TIMESTAMP',
      message: `the delivery was sent more than ${toleranceSeconds} seconds ago or ahead`,
    });
  }
  return eventIn(body, id);
}

/** Signatures of one kind, and what they sign. */
interface Proof {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
  /** The key that a secret stands for; undefined if it stands for none. */
  readonly keyOf: (secret: string) => Uint8Array<ArrayBuffer> | undefined;
  /** The time that belongs to these signatures. */
  readonly sentAtMs: number;
  /** The id of the event, if it is signed. */
  readonly id?: string | undefined;
}

/** The proofs of a delivery in the order in which they are tried. */
function proofsOf(delivery: Delivery, body: Uint8Array<ArrayBuffer>): Proof[] {
  const { headers, acceptUnsignedId, acceptUntimed } = delivery;
  const timestamp = headerOf(headers, 'x-webhook-timestamp') ?? '';
  const own = (header: string, content: Uint8Array<ArrayBuffer>, anySecret = false): Proof => ({
    content,
    signatures: hexOf(headerOf(headers, header)),
    // Otherwise a sender could leave out the signature that covers the id.
    keyOf: (secret) =>
      anySecret || !standardKey(secret) ? new TextEncoder().encode(secret) : undefined,
    sentAtMs: Number(timestamp),
  });
  return [
    standardOf(headers, body),
    own('x-webhook-signature-v2', joined(`${timestamp}.`, body), acceptUnsignedId),
    ...(acceptUntimed === true
      ? [own('x-webhook-signature', body, true), own('x-webhook-signature-previous', body, true)]
      : []),
  ];
}

/** The key of Standard Webhooks; undefined for a secret that has none. */
const standardKey = (secret: string): Uint8Array<ArrayBuffer> | undefined =>
  base64Of(/^whsec_(.+)$/.exec(secret)?.[1]);

/** The signatures of Standard Webhooks: two during a rotation. */
function standardOf(headers: WebhookHeaders, body: Uint8Array<ArrayBuffer>): Proof {
  const id = headerOf(headers, 'webhook-id') ?? '';
  const timestamp = headerOf(headers, 'webhook-timestamp') ?? '';
  const listed = (headerOf(headers, 'webhook-signature') ?? '').split(' ');
  return {
    content: joined(`${id}.${timestamp}.`, body),
    signatures: listed
      .slice(0, SIGNATURES_MAX)
      .flatMap((one) => base64Of(/^v1,(.+)$/.exec(one)?.[1]) ?? []),
    keyOf: standardKey,
    sentAtMs: Number(timestamp) * 1_000,
    id,
  };
}

/** Each signature costs a hash of the body. */
const SIGNATURES_MAX = 4;

async function firstGenuine(
  proofs: readonly Proof[],
  secrets: readonly string[],
): Promise<Proof | undefined> {
  for (const proof of proofs) {
    for (const secret of secrets) {
      if (await isGenuine(proof, secret)) {
        return proof;
      }
    }
  }
  return undefined;
}

/** Returns whether one of the signatures is the HMAC under the secret, in constant time. */
async function isGenuine({ content, signatures, keyOf }: Proof, secret: string): Promise<boolean> {
  const bytes = signatures.length > 0 ? keyOf(secret) : undefined;
  if (!bytes) {
    return false;
  }
  const { subtle } = crypto;
  const key = await subtle.importKey('raw', bytes, HMAC, false, ['verify']);
  for (const signature of signatures) {
    if (await subtle.verify(HMAC, key, signature, content)) {
      return true;
    }
  }
  return false;
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

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

function joined(text: string, tail: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(text);
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

/** Returns the bytes of `sha256=<hex>`. */
function hexOf(signature = ''): Uint8Array<ArrayBuffer>[] {
  const hex = /^sha256=([\da-f]{64})$/.exec(signature)?.[1];
  return hex === undefined
    ? []
    : [
        Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
          Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
        ),
      ];
}

function base64Of(text = ''): Uint8Array<ArrayBuffer> | undefined {
  const isBase64 = /^[A-Za-z\d+/]+={0,2}$/.test(text) && text.length % 4 === 0;
  return isBase64 ? Uint8Array.from(atob(text), (one) => one.charCodeAt(0)) : undefined;
}
