import { Fault } from '#core/fault.ts';
import { handle, keyOf, type JobContext } from '#core/job.ts';
import type { OutboundAnswer } from '#core/outbound.ts';
import type { View } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import type { FileSource } from '../../files/file.schema.ts';
import { claimContent, REASONS, storeFile, type StoredContent } from '../../files/store-file.ts';
import type { Channel } from '../../contacts/channels.ts';
import { readChannel } from '../channels/channel.store.ts';
import { followRedirects, REDIRECTED_TOO_OFTEN } from '../follow-redirects.ts';
import { fetchFile } from '../conversations.jobs.ts';
import { isPassing, isTaken } from '../providers/http-outcome.ts';
import { mediaHeaders } from '../providers/twilio/media.ts';

/** Waits before the second and later attempts: a provider may be down for hours. */
const WAITS_MS = [5 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS];
const TIMEOUT_MS = MINUTE_MS;
/** A peer that stops sending takes one of the few places for files. */
const IDLE_TIMEOUT_MS = 10 * SECOND_MS;

/**
 * Fetches the content of a file from its provider. After the last attempt, or for a content that is not
 * accepted, the file shows why it is missing. Safe to run twice.
 */
export const handleFetchFile = handle(fetchFile, async (payload, context) => {
  const { subAccountId, fileId, attempt = 1 } = payload;
  const view = context.openView(subAccountId, context.clock());
  const [file] = await view.rows<Pending>(PENDING, [subAccountId, fileId]);
  if (!file) {
    return;
  }
  const outcome = await contentOf(view, file, context);
  if ('passing' in outcome) {
    const wait = WAITS_MS[attempt - 1];
    await (wait === undefined
      ? refuse(payload, UNREACHABLE, context)
      : tryAgain(payload, wait, context));
    return;
  }
  if ('refused' in outcome) {
    return refuse(payload, outcome.refused, context);
  }
  const { transact, actor, tools } = context;
  const change: Parameters<typeof storeFile>[0]['change'] = (one) =>
    transact(subAccountId, actor, one);
  try {
    const given = { name: file.name, type: outcome.type ?? file.type, bytes: outcome.bytes };
    const stored = await storeFile(
      { files: tools.files, subAccountId, change },
      given,
      newId(view.now),
    );
    await complete(stored, payload, context);
  } catch (error) {
    const reason = error instanceof Fault ? REASONS[error.code] : undefined;
    if (reason === undefined) {
      throw error;
    }
    await refuse(payload, reason, context);
  }
});

interface Pending {
  readonly name: string;
  readonly type: string;
  readonly source: FileSource;
}

const PENDING = `select name, type, source from files
  where sub_account_id = $1 and id = $2 and state = 'pending'`;

const UNREACHABLE = 'the file could not be fetched from its provider';

type Fetched =
  | { readonly bytes: Buffer; readonly type: string | undefined }
  | { readonly refused: string }
  | { readonly passing: true };

/** Credentials go to the provider's own host only. */
async function contentOf(view: View, { source }: Pending, context: JobContext): Promise<Fetched> {
  const { tools, signal } = context;
  const { subAccountId } = view;
  const setup = await readChannel(view, tools.secrets, source.channel as Channel);
  const request = {
    subAccountId,
    url: source.url,
    timeoutMs: TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    readMaxBytes: tools.files.maxBytes + 1,
    signal,
  };
  const answer = await followRedirects(tools.outbound, request, (url) =>
    setup ? mediaHeaders(setup, url) : {},
  );
  if (!('failure' in answer)) {
    return fetchedIn(answer, tools.files.maxBytes);
  }
  return answer === REDIRECTED_TOO_OFTEN ? { refused: UNREACHABLE } : { passing: true };
}

function fetchedIn({ status, headers, body }: OutboundAnswer, maxBytes: number): Fetched {
  if (!isTaken(status)) {
    // Media may be available a moment after its message.
    return isPassing(status) || status === 404 ? { passing: true } : { refused: UNREACHABLE };
  }
  return body.length > maxBytes
    ? { refused: REASONS['PAYLOAD_TOO_LARGE'] ?? '' }
    : { bytes: body, type: headers['content-type'] };
}

interface Payload {
  readonly subAccountId: string;
  readonly fileId: string;
  readonly attempt?: number;
}

const tryAgain = (
  { subAccountId, fileId, attempt = 1 }: Payload,
  waitMs: number,
  { transact, actor }: JobContext,
): Promise<void> =>
  transact(subAccountId, actor, async (work) => {
    const payload = { subAccountId, fileId, attempt: attempt + 1 };
    work.enqueue(fetchFile, payload, { waitMs, key: keyOf(fetchFile, payload) });
  });

const refuse = (
  { subAccountId, fileId }: Payload,
  reason: string,
  { transact, actor }: JobContext,
): Promise<void> =>
  transact(subAccountId, actor, async (work) => {
    work.write(REFUSE, [subAccountId, fileId, reason]);
  });

const REFUSE = `update files set state = 'refused', refused = $3, source = null
  where sub_account_id = $1 and id = $2 and state = 'pending'`;

/** If the file was deleted meanwhile, its content is removed when its time is over. */
const complete = (
  { id: contentId, name, type, size }: StoredContent,
  { subAccountId, fileId }: Payload,
  { transact, actor }: JobContext,
): Promise<void> =>
  transact(subAccountId, actor, async (work) => {
    const [row] = await work.rows(LOCK, [subAccountId, fileId]);
    if (row) {
      await claimContent(work, contentId);
      work.write(COMPLETE, [subAccountId, fileId, contentId, name, type, size]);
    }
  });

const LOCK = `select id from files where sub_account_id = $1 and id = $2 and state = 'pending'
  for update`;

const COMPLETE = `update files set state = 'stored', content_id = $3, name = $4, type = $5, size = $6,
    source = null
  where sub_account_id = $1 and id = $2`;
