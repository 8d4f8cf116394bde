import type { SignedCall } from '#core/endpoint/signed-endpoint.ts';
import { orNotFound, Fault } from '#core/fault.ts';
import type { Channel } from '../../contacts/channels.ts';
import { readChannel, type ChannelSetup } from '../channels/channel.store.ts';
import type { WebhookContent } from '../inbound/callback.schema.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

export type WebhookKind = 'inbound' | 'status';

export interface WebhookCall extends SignedCall<{ readonly channel: Channel }> {
  readonly kind: WebhookKind;
}

/**
 * Checks the signature of a call and returns its content. Throws UNAUTHORIZED unless the provider of
 * the channel signed it, and NOT_FOUND if the channel has no key to check signatures with.
 */
export type VerifyWebhook = (call: WebhookCall, setup: ChannelSetup) => Promise<WebhookContent>;

/**
 * Returns the setup of the called channel. Throws the same NOT_FOUND for a channel without a provider
 * and for a deleted sub-account.
 */
export async function setupOf({
  view,
  tools,
  params,
}: SignedCall<{ readonly channel: Channel }>): Promise<ChannelSetup> {
  const [account] = await view.rows(LIVE_SUB_ACCOUNT, [view.subAccountId]);
  return orNotFound(account && (await readChannel(view, tools.secrets, params.channel)), 'channel');
}

const LIVE_SUB_ACCOUNT = 'select id from sub_accounts where id = $1 and deleted_at is null';

interface Signature {
  /** The name of the header, as error messages show it. */
  readonly header: string;
  readonly secret: string;
  /** What the secret is called, for error messages. */
  readonly secretName: string;
  /** Default: 1 MiB. */
  readonly limitBytes?: number;
}

/**
 * Returns the body of a call that is signed with `sha256=` and its HMAC in hex. Throws UNAUTHORIZED
 * otherwise; for a missing or malformed header, before the body is read.
 */
export async function readSigned(
  { header, bytes }: Pick<SignedCall<unknown>, 'header' | 'bytes'>,
  { header: name, secret, secretName, limitBytes }: Signature,
): Promise<Buffer> {
  const given = header(name.toLowerCase());
  if (!SIGNATURE.test(given ?? '')) {
    throw wrongSignature(`${name} must be sha256= followed by the HMAC-SHA256 of the body in hex`);
  }
  const body = await bytes(limitBytes);
  if (!isSigned(body, secret, given)) {
    throw wrongSignature(`${name} does not match this body: sign its raw bytes with ${secretName}`);
  }
  return body;
}

const SIGNATURE = /^sha256=([\da-f]{64})$/i;

/** Whether the header is `sha256=` and the HMAC of the bytes under the secret, in hex. */
export function isSigned(bytes: Buffer, secret: string, given = ''): boolean {
  const hex = SIGNATURE.exec(given)?.[1];
  return (
    hex !== undefined &&
    timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(bytes).digest())
  );
}

export const wrongSignature = (message: string): Fault => new Fault('UNAUTHORIZED', message);
