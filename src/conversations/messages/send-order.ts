import { keyOf, type JobContext } from '#core/job.ts';
import type { View } from '#core/work.ts';
import { sleep } from '#lib/abort.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { sendMessage } from '../conversations.jobs.ts';

/**
 * A new message waits in its place of the worker first: most earlier ones are sent within half a second. An
 * older one does not, so that a conversation whose channel hangs leaves the places to others.
 */
const LOOKS = 10;
const LOOK_MS = 50;
const NEW_MS = LOOKS * LOOK_MS;
/** Then it gives the place to other conversations and is queued again, until it has waited this long. */
const AGAIN_MS = 250;
const IN_ORDER_MS = 10 * SECOND_MS;

/** How many messages before it are looked at. */
const BEFORE_MAX = 10;

/** SQL: whether an earlier message of the conversation of `m` waits to be sent. */
export const IS_BEHIND = `exists (
      select from (
        select e.status, e.external_id, e.is_internal from messages e
        where e.sub_account_id = $1 and e.conversation_id = m.conversation_id and e.id < m.id
        order by e.id desc limit ${BEFORE_MAX}
      ) as earlier
      where earlier.status = 'pending' and earlier.external_id is null and not earlier.is_internal
    )`;

interface Ordered {
  readonly id: string;
  /** By the database's clock. */
  readonly readAt: Date;
  readonly isBehind: boolean;
}

/** The place of a message in its conversation. */
export interface Place {
  readonly view: View;
  readonly attempt: number;
  /** When the message began to wait, by the database's clock: that of its server may be wrong. */
  readonly queuedAt: number;
  readonly context: JobContext;
}

/**
 * Returns a message when the messages before it in its conversation are sent, or once it has waited for ten
 * seconds. Returns undefined if it was queued again meanwhile.
 */
export async function readInOrder<M extends Ordered>(
  read: () => Promise<M | undefined>,
  { view, attempt, queuedAt, context }: Place,
): Promise<M | undefined> {
  const waitedMs = ({ readAt }: M) => readAt.getTime() - queuedAt;
  let message = await read();
  for (let look = 0; look < LOOKS && message?.isBehind && waitedMs(message) < NEW_MS; look += 1) {
    await sleep(LOOK_MS, context.signal);
    message = await read();
  }
  if (!message?.isBehind || waitedMs(message) >= IN_ORDER_MS) {
    return message;
  }
  const payload = { subAccountId: view.subAccountId, messageId: message.id, attempt, queuedAt };
  await context.transact(view.subAccountId, context.actor, (work) => {
    work.enqueue(sendMessage, payload, { waitMs: AGAIN_MS, key: keyOf(sendMessage, payload) });
    return Promise.resolve();
  });
  return undefined;
}
