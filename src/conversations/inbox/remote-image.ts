import type { Outbound } from '#core/outbound.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Fault, notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { openGate, TooManyWait, withLatePlace } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { detectType, isShownInline } from '../../files/file-type.ts';
import { followRedirects } from '../follow-redirects.ts';
import { isTaken } from '../providers/http-outcome.ts';

const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
/** With all redirects. */
const TIMEOUT_MS = 10 * SECOND_MS;
/** A server that sends nothing keeps the place of another image for so long. */
const SILENT_MS = 3 * SECOND_MS;

/**
 * The images that this process fetches. A user leaves as many places to others as the user takes: one mail
 * may refer to a hundred images of a server that hangs.
 */
const fetching = openGate<string>({ shares: openShares(128), waitingMax: 100 });
/** Those above 64 KiB, each in memory as a whole. */
const large = openGate<string>({ shares: openShares(8) });

/** Whatever the content is, a browser runs nothing in it. */
const HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cache-control': 'private, max-age=3600',
};

interface RemoteImageInput {
  readonly userId: string;
  readonly conversationId: string;
  readonly messageId: string;
  /** As the HTML of the message has it. */
  readonly url: string;
}

/**
 * Fetches an image that the HTML of a message refers to, so that its sender sees this server instead of
 * the reader (contract 11). Throws NOT_FOUND for other addresses, and for what cannot be fetched or is no
 * raster image.
 */
export async function readRemoteImage(
  view: View,
  outbound: Outbound,
  { userId, conversationId, messageId, url }: RemoteImageInput,
): Promise<Reply> {
  const { subAccountId } = view;
  const values = [subAccountId, conversationId, messageId, sourcePattern(url)];
  const [message] = await view.rows(REFERS, values);
  if (!message || !URL.canParse(url)) {
    throw notFound('image');
  }
  const answer = await admitted(userId, () => fetchImage(outbound, { subAccountId, userId, url }));
  if ('failure' in answer || !isTaken(answer.status) || answer.body.length > IMAGE_MAX_BYTES) {
    throw notFound('image');
  }
  const known = await detectType(answer.body, { name: '', type: '' });
  if (!known || !isShownInline(known.type)) {
    throw notFound('image');
  }
  return { data: null, document: { type: known.type, body: answer.body, headers: HEADERS } };
}

async function admitted<T>(userId: string, act: () => Promise<T>): Promise<T> {
  try {
    return await fetching.run(userId, act);
  } catch (error) {
    if (error instanceof TooManyWait) {
      throw new Fault('SERVICE_UNAVAILABLE', 'too many images are being fetched; try again soon');
    }
    throw error;
  }
}

interface FetchInput {
  readonly subAccountId: string;
  readonly userId: string;
  readonly url: string;
}

const fetchImage = (outbound: Outbound, { subAccountId, userId, url }: FetchInput) =>
  withLatePlace(large, userId, (makeRoom) =>
    followRedirects(outbound, {
      subAccountId,
      url,
      timeoutMs: TIMEOUT_MS,
      idleTimeoutMs: SILENT_MS,
      readMaxBytes: IMAGE_MAX_BYTES + 1,
      isPlainPublic: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      makeRoom,
    }),
  );

/** Returns the pattern of an attribute of an image with this address. */
const sourcePattern = (url: string): string =>
  `[\\s"'/][sS][rR][cC]\\s*=\\s*["']?\\s*${url.replaceAll(SPECIAL, String.raw`\$&`)}\\s*["'\\s>]`;

const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

/** Programs that add parameters to an address write `&` in several ways, also in the same address. */
const REFERS = `select from messages
  where sub_account_id = $1 and conversation_id = $2 and id = $3
    and replace(replace(replace(body_html, '&amp;', '&'), '&#38;', '&'), '&#x26;', '&') ~ $4`;
