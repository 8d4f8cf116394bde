import { Fault } from '#core/fault.ts';
import { openShares } from '#lib/shares.ts';

/** Each has a page of 4 MB in memory, the ids of the person's records, and the names of their files. */
const EXPORTS_AT_ONCE = 4;
const RETRY_AFTER_SECONDS = '5';

/** The exports of people that this process is sending. */
const exports = openShares<string>(EXPORTS_AT_ONCE);

/**
 * Takes a place for an export, and returns what to call to give it back. Throws SERVICE_UNAVAILABLE if the
 * sub-account has its share.
 */
export function enterExport(subAccountId: string): () => void {
  if (exports.isFull(subAccountId)) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      'too many exports of people are being sent; read them before you ask for more',
      undefined,
      { 'retry-after': RETRY_AFTER_SECONDS },
    );
  }
  return exports.enter(subAccountId);
}
