import { notFound } from '#core/fault.ts';
import type { VerifyWebhook } from '../verify-callback.ts';
import { readSigned } from '../signed-body.ts';
import { parseMetaWebhook } from './parse.ts';

/** What Meta tells, messages and receipts in one, whichever address it calls. */
export const verifyMeta: VerifyWebhook = async (call, setup) => {
  const { appSecret: secret } = setup.secrets;
  if (secret === undefined) {
    throw notFound('channel');
  }
  const bytes = await readSigned(call, { header: 'X-Hub-Signature-256', secret });
  return parseMetaWebhook(bytes, call.params.channel, setup);
};
