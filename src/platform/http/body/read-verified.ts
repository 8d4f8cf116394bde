import type { IncomingMessage } from 'node:http';
import { openBodyBudget } from './budget.ts';
import { readBytes } from './read.ts';

/** Twelve files of 10 MiB at once, or one of the largest size that can be set. */
const BUDGET_BYTES = 128 * 1024 * 1024;

/** The bodies of verified callers that this process is receiving. */
const receiving = openBodyBudget(BUDGET_BYTES);

/**
 * Returns the bytes of a request of a verified caller. Until they are complete, they count against a budget
 * that all holders (sub-accounts, or keys of agents) share: once it is used up, the largest incomplete body
 * of the holder that uses most is refused. Throws PAYLOAD_TOO_LARGE above `limitBytes`, and
 * SERVICE_UNAVAILABLE.
 */
export async function readVerified(
  node: IncomingMessage,
  limitBytes: number,
  holder: string,
): Promise<Buffer> {
  const share = receiving.open(node, holder);
  try {
    return await readBytes(node, limitBytes, share);
  } finally {
    share.release();
  }
}
