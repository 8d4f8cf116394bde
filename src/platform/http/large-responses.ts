import type { ServerResponse } from 'node:http';
import type { ServerRequest } from 'srvx';
import { Fault } from '#core/fault.ts';
import { openShares } from '#lib/shares.ts';
import type { CallResponse } from './response.ts';

/** Smaller responses are taken over by the system at once, even if the client reads slowly. */
const LARGE_BYTES = 1_048_576;
/** Each is in memory until the client has read it. Most have 4 MB or less. */
const LARGE_AT_ONCE = 32;
const RETRY_AFTER_SECONDS = '1';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The large responses of this process that are being sent. */
const sending = openShares<string>(LARGE_AT_ONCE);

/**
 * Returns the response, and counts a large one until it is sent. Throws SERVICE_UNAVAILABLE for a read if
 * too many of the sub-account are being sent. The response to a write is always sent: the change is
 * committed, and the caller would repeat it.
 */
export function limitLarge(
  response: CallResponse,
  subAccountId: string,
  { method, runtime }: Pick<ServerRequest, 'method' | 'runtime'>,
): CallResponse {
  if (response.text.length < LARGE_BYTES) {
    return response;
  }
  if (READS.has(method) && sending.isFull(subAccountId)) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      'too many large responses are being sent; read them before you ask for more',
      undefined,
      { 'retry-after': RETRY_AFTER_SECONDS },
    );
  }
  const node = runtime?.node?.res as ServerResponse | undefined;
  if (node && !node.destroyed) {
    node.once('close', sending.enter(subAccountId));
  }
  return response;
}
