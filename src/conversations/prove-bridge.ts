import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { check } from '#kit/check.ts';
import type { Proven, SignedCall } from '#kit/endpoint.ts';
import { Fault, notFound } from '#kit/fault.ts';
import { parseJson } from '#platform/http/read-body.ts';
import type { Channel } from './conversation.shape.ts';
import { readChannel } from './read-channel.ts';

type Called = SignedCall<{ readonly channel: Channel }>;

/**
 * What the `http` bridge of a channel tells. `email` has a secret for this whatever carries its mails.
 * Throws NOT_FOUND where no such bridge is set up, UNAUTHORIZED where the signature is not its own.
 */
export async function proveBridge<S extends TSchema>(
  call: Called,
  told: S,
): Promise<Proven<Static<S>>> {
  const { provider, secret } = await bridgeOf(call);
  const bytes = await call.bytes();
  if (!isSigned(bytes, secret, call.header('x-signature'))) {
    throw new Fault('UNAUTHORIZED', 'X-Signature is not sha256= and the HMAC of this body');
  }
  const body = check(told, parseJson(bytes, call.header('content-type')), 'body');
  return { by: `${provider}/${call.params.channel}`, body };
}

async function bridgeOf({ view, tools, params: { channel } }: Called) {
  const [account] = await view.rows(LIVE_SUB_ACCOUNT, [view.subAccountId]);
  const setup = account && (await readChannel(view, tools.secrets, channel));
  const secret = setup?.secrets['secret'];
  if (!setup || !secret || (setup.provider !== 'http' && channel !== 'email')) {
    throw notFound('channel');
  }
  return { provider: setup.provider, secret };
}

const LIVE_SUB_ACCOUNT = 'select id from sub_accounts where id = $1 and deleted_at is null';

function isSigned(bytes: Buffer, secret: string, given = ''): boolean {
  const hex = /^sha256=([\da-f]{64})$/i.exec(given)?.[1];
  return (
    hex !== undefined &&
    timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(bytes).digest())
  );
}
