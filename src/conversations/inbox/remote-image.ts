import type { Outbound } from '#core/outbound.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Fault, notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { openGate, TooManyWait } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { detectType, isShownInline } from '../../files/file-type.ts';
import { followRedirects } from '../follow-redirects.ts';
import { isTaken } from '../providers/http-outcome.ts';

const IMAGE_MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 10 * SECOND_MS;

/** A process fetches eight images at a time: each is in memory as a whole. */
const gate = openGate<string>({ shares: openShares<string>(8), waitingMax: 100 });

/** Whatever the content is, a browser runs nothing in it. */
const HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cache-control': 'private, max-age=3600',
};

interface RemoteImageInput {
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
  { conversationId, messageId, url }: RemoteImageInput,
): Promise<Reply> {
  const { subAccountId } = view;
  const written = url.replaceAll('&', '&amp;');
  const [message] = await view.rows(REFERS, [
    subAccountId,
    conversationId,
    messageId,
    url,
    written,
  ]);
  if (!message || !URL.canParse(url)) {
    throw notFound('image');
  }
  const request = {
    subAccountId,
    url,
    timeoutMs: TIMEOUT_MS,
    readMaxBytes: IMAGE_MAX_BYTES + 1,
    isPlainPublic: true,
  };
  const answer = await admitted(subAccountId, () => followRedirects(outbound, request));
  if ('failure' in answer || !isTaken(answer.status) || answer.body.length > IMAGE_MAX_BYTES) {
    throw notFound('image');
  }
  const known = await detectType(answer.body, { name: '', type: '' });
  if (!known || !isShownInline(known.type)) {
    throw notFound('image');
  }
  return { data: null, document: { type: known.type, body: answer.body, headers: HEADERS } };
}

async function admitted<T>(subAccountId: string, act: () => Promise<T>): Promise<T> {
  try {
    return await gate.run(subAccountId, act);
  } catch (error) {
    if (error instanceof TooManyWait) {
      throw new Fault('SERVICE_UNAVAILABLE', 'too many images are being fetched; try again soon');
    }
    throw error;
  }
}

const REFERS = `select from messages
  where sub_account_id = $1 and conversation_id = $2 and id = $3
    and (strpos(body_html, $4) > 0 or strpos(body_html, $5) > 0)`;
