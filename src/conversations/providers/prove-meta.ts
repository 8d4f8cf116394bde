import { notFound } from '#kit/fault.ts';
import type { Prove } from './prove-callback.ts';
import { readSigned } from './signed-body.ts';
import { tellMeta } from './tell-meta.ts';

/** What Meta tells, messages and receipts in one, whichever address it calls. */
export const proveMeta: Prove = async (call, setup) => {
  const { appSecret: secret } = setup.secrets;
  if (secret === undefined) {
    throw notFound('channel');
  }
  const bytes = await readSigned(call, { header: 'X-Hub-Signature-256', secret });
  return tellMeta(bytes, call.params.channel, setup);
};
