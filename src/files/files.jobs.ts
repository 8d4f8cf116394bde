import { defineJob, handle, type JobContext } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { AGENCY } from '#lib/id.ts';

/** Removes contents of deleted files from the storage, and uploads that no message or submission got. */
export const removeFiles = defineJob({
  name: 'files/remove',
  payload: request({}),
  // The schedule queues it again soon.
  maxAttempts: 1,
  lane: 'peers',
});

/** Contents per transaction. */
const BATCH = 100;

interface Taken {
  readonly subAccountId: string;
  readonly contentId: string;
  /** A copy of the file still needs the content. */
  readonly isUsed: boolean;
}

/**
 * Safe to be killed at any line: a row of `file_deletions` stays until its content is removed, and is
 * taken again after five minutes.
 */
export const handleRemoveFiles = handle(removeFiles, async (_, context) => {
  await context.execute(PRUNE_UNATTACHED);
  for (let taken = await takeDue(context); taken.length > 0; taken = await takeDue(context)) {
    for (const { subAccountId, contentId, isUsed } of taken) {
      if (context.signal.aborted) {
        return;
      }
      if (!isUsed) {
        await context.tools.files.remove({ subAccountId, id: contentId });
      }
      await context.execute(DONE, [subAccountId, contentId]);
    }
  }
});

const takeDue = ({ transact, actor }: JobContext): Promise<Taken[]> =>
  transact(AGENCY, actor, (work) => work.rows<Taken>(TAKE_DUE, []));

/** Locks, so that a file that is being inserted right now keeps its content. */
const TAKE_DUE = `update file_deletions d set taken_at = now()
  from (
    select sub_account_id, content_id from file_deletions
    where due_at <= now() and (taken_at is null or taken_at < now() - interval '5 minutes')
    order by due_at limit ${BATCH} for update skip locked
  ) as due
  where d.sub_account_id = due.sub_account_id and d.content_id = due.content_id
  returning d.sub_account_id as "subAccountId", d.content_id as "contentId", exists (
    select from files f
    where f.sub_account_id = d.sub_account_id and f.content_id = d.content_id
      and f.state = 'stored'
  ) as "isUsed"`;

const DONE = `delete from file_deletions
  where sub_account_id = $1 and content_id = $2 and taken_at is not null`;

/** The trigger of the table queues their contents. */
const PRUNE_UNATTACHED = `delete from files where (sub_account_id, id) in (
    select sub_account_id, id from files
    where message_id is null and submission_id is null and created_at < now() - interval '24 hours'
    limit 10000 for update skip locked)`;
