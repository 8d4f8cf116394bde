import type { ServerResponse } from 'node:http';
import { setImmediate as nextCycle } from 'node:timers/promises';
import type { ServerRequest } from 'srvx';
import { Fault } from '#core/fault.ts';
import { openGate } from '#lib/gate.ts';
import { AGENCY } from '#lib/id.ts';
import { openShares, type Shares } from '#lib/shares.ts';
import type { RequestContext } from './funnel.ts';
import type { CallResponse } from './response.ts';
import { visitorNetwork } from './visitor-address.ts';

/** Smaller responses are taken over by the system at once, even if the client reads slowly. */
const LARGE_BYTES = 1_048_576;
/** Each is in memory until the client has read it. Most have 4 MB or less. */
const LARGE_AT_ONCE = 32;
/** Each has two descriptors and less than 1 MB in memory. */
const DOWNLOADS_AT_ONCE = 128;
/** A client that reads nothing for so long is disconnected, or for twice as long: node:http looks again. */
const STALLED_MS = 30_000;
const RETRY_AFTER_SECONDS = '1';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** The large responses and the downloads of this process that are being sent. */
const large = openShares<string>(LARGE_AT_ONCE);
const downloads = openShares<string>(DOWNLOADS_AT_ONCE);

/** Node.js accepts one connection in each cycle of the event loop: long cycles would delay new ones. */
const PIECES_IN_CYCLE = 2;
const pieces = openGate<string>({ shares: openShares(PIECES_IN_CYCLE) });

/** The holder of a response: the network of a visitor, or the sub-account of a verified caller. */
export const holderOf = (
  { address = '', subAccountId = AGENCY }: RequestContext,
  isVisitor: boolean,
): string => (isVisitor ? visitorNetwork(address) : subAccountId);

type SentRequest = Pick<ServerRequest, 'method' | 'runtime'>;

/**
 * Returns the response, and counts a large one or a download for `holder` until it is sent or its client
 * has stopped reading. Throws SERVICE_UNAVAILABLE for a read if too many of the holder are being sent. The
 * response to a write is always sent: the change is committed, and the caller would repeat it. `onError` is
 * called if the rest of a download cannot be read: its connection is closed.
 */
export async function limitSending(
  response: CallResponse,
  holder: string,
  request: SentRequest,
  onError: (error: unknown) => void,
): Promise<CallResponse> {
  const sending = sharesFor(response);
  if (sending === undefined) {
    return response;
  }
  if (READS.has(request.method) && sending.isFull(holder)) {
    await response.stream?.cancel();
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      'too many large responses are being sent; read them before you ask for more',
      undefined,
      { 'retry-after': RETRY_AFTER_SECONDS },
    );
  }
  const node = request.runtime?.node?.res as ServerResponse | undefined;
  if (node && !node.destroyed) {
    node.once('close', sending.enter(holder));
    endIfStalled(node);
  }
  return response.stream && response.isDownload
    ? { ...response, stream: alternating(response.stream, holder, onError) }
    : response;
}

const sharesFor = ({ text, document, isDownload }: CallResponse): Shares<string> | undefined => {
  if (isDownload) {
    return downloads;
  }
  return (document?.body ?? text).length < LARGE_BYTES ? undefined : large;
};

/** Returns the same stream, whose pieces alternate with those of other downloads in the cycles of the event loop. */
function alternating(
  stream: ReadableStream<Uint8Array>,
  holder: string,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        await pieces.run(holder, () => nextCycle());
        const { done, value } = await reader.read().catch((error: unknown) => {
          onError(error);
          throw error;
        });
        if (done) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Ends a response whose client reads nothing for this time. */
export function endIfStalled(response: ServerResponse, ms = STALLED_MS): void {
  response.setTimeout(ms, () => response.destroy());
}
