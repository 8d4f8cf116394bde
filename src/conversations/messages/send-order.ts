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
/** Then it gives the place to other conversations and is queued again, until it is this old. */
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
  readonly createdAt: Date;
  readonly isBehind: boolean;
}

/**
 * Returns a message when the messages before it in its conversation are sent, or once it is ten seconds old.
 * Returns undefined if it was queued again meanwhile.
 */
export async function readInOrder<M extends Ordered>(
  read: () => Promise<M | undefined>,
  { view, attempt, context }: { view: View; attempt: number; context: JobContext },
): Promise<M | undefined> {
  const { signal, clock } = context;
  const ageOf = ({ createdAt }: M) => clock().getTime() - createdAt.getTime();
  let message = await read();
  for (let look = 0; look < LOOKS && message?.isBehind && ageOf(message) < NEW_MS; look += 1) {
    await sleep(LOOK_MS, signal);
    message = await read();
  }
  if (!message?.isBehind || ageOf(message) >= IN_ORDER_MS) {
    return message;
  }
  const payload = { subAccountId: view.subAccountId, messageId: message.id, attempt };
  await context.transact(view.subAccountId, context.actor, (work) => {
    const runAt = new Date(work.now.getTime() + AGAIN_MS);
    work.enqueue(sendMessage, payload, { runAt, key: keyOf(sendMessage, payload) });
    return Promise.resolve();
  });
  return undefined;
}
