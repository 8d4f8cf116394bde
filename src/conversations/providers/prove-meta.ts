import { notFound } from '#kit/fault.ts';
import type { Prove } from './prove-callback.ts';
import { isSigned, wrongSignature } from './signed-body.ts';
import { tellMeta } from './tell-meta.ts';

/** What Meta tells, messages and receipts in one, whichever address it calls. */
export const proveMeta: Prove = async (call, setup) => {
  const { appSecret: secret } = setup.secrets;
  if (secret === undefined) {
    throw notFound('channel');
  }
  const bytes = await call.bytes();
  if (!isSigned(bytes, secret, call.header('x-hub-signature-256'))) {
    throw wrongSignature('X-Hub-Signature-256 is not sha256= and the HMAC of this body');
  }
  return tellMeta(bytes, call.params.channel, setup);
};
