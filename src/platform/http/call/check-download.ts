import type { CallResponse } from '../response.ts';
import type { CallDeps } from './checks.ts';

/** How often a response that stays open checks that its caller may still have it. */
export const CHECK_CALLER_MS = 10_000;

/**
 * Ends a download once its caller has lost access: what a slow reader has not fetched yet may have been
 * written later. `admitAgain` throws if access was lost.
 */
export function checkDownload(
  { clock }: Pick<CallDeps, 'clock'>,
  { stream, ...response }: CallResponse,
  admitAgain: () => Promise<void>,
): CallResponse {
  return stream
    ? { ...response, stream: stream.pipeThrough(checking(clock, admitAgain)) }
    : response;
}

function checking(
  clock: CallDeps['clock'],
  admitAgain: () => Promise<void>,
): TransformStream<Uint8Array, Uint8Array> {
  let checkedAt = clock().getTime();
  return new TransformStream({
    async transform(chunk, controller) {
      const now = clock().getTime();
      if (now - checkedAt > CHECK_CALLER_MS) {
        await admitAgain();
        checkedAt = now;
      }
      controller.enqueue(chunk);
    },
  });
}
