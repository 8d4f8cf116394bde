import { defineJob, handle, type JobContext } from '#core/job.ts';
import { request } from '#core/schema/schema.ts';
import { AGENCY } from '#lib/id.ts';
import { FILE_DELETIONS_TABLE, isNotTaken } from '#platform/files/storage/storage.ts';

/** Removes contents of deleted files from the storage, and uploads that no message or submission got. */
export const removeFiles = defineJob({
  name: 'files/remove',
  payload: request({}),
  // The schedule queues it again soon.
  maxAttempts: 1,
  lane: 'peers',
});

interface Taken {
  readonly contentId: string;
  /** A copy of the file still needs the content. */
  readonly isUsed: boolean;
}

/**
 * Safe to be killed at any line: a row of `file_deletions` stays until its content is removed, and is
 * taken again after five minutes. One content at a time: a restore that brings it back waits until its
 * removal has ended. A statement changes rows of one sub-account: in a cluster its node has them.
 */
export const handleRemoveFiles = handle(removeFiles, async (_, context) => {
  const { openView, clock, execute } = context;
  const { rows } = openView(AGENCY, clock());
  for (const { id } of await rows<SubAccount>(WITH_UNATTACHED, [])) {
    await execute(PRUNE_UNATTACHED, [id]);
  }
  for (const { id } of await rows<SubAccount>(WITH_DELETIONS, [])) {
    await removeDue(context, id);
  }
});

interface SubAccount {
  readonly id: string;
}

async function removeDue(context: JobContext, subAccountId: string): Promise<void> {
  const { signal, execute, tools } = context;
  while (!signal.aborted) {
    const taken = await takeDue(context, subAccountId);
    if (!taken) {
      return;
    }
    const { contentId, isUsed } = taken;
    if (!isUsed) {
      await tools.files.remove({ subAccountId, id: contentId });
    }
    await execute(DONE, [subAccountId, contentId]);
  }
}

async function takeDue(
  { transact, actor }: JobContext,
  subAccountId: string,
): Promise<Taken | undefined> {
  const [taken] = await transact(subAccountId, actor, (work) =>
    work.rows<Taken>(TAKE_DUE, [subAccountId]),
  );
  return taken;
}

const IS_DUE = `due_at <= now() and ${isNotTaken(FILE_DELETIONS_TABLE)}`;

const WITH_DELETIONS = `select distinct sub_account_id as id from file_deletions where ${IS_DUE}`;

/** Locks, so that a file that is being inserted right now keeps its content. */
const TAKE_DUE = `update file_deletions d set taken_at = now()
  from (
    select content_id from file_deletions where sub_account_id = $1 and ${IS_DUE}
    order by due_at limit 1 for update skip locked
  ) as due
  where d.sub_account_id = $1 and d.content_id = due.content_id
  returning d.content_id as "contentId", exists (
    select from files f
    where f.sub_account_id = $1 and f.content_id = d.content_id and f.state = 'stored'
  ) as "isUsed"`;

const DONE = `delete from file_deletions
  where sub_account_id = $1 and content_id = $2 and taken_at is not null`;

const IS_UNATTACHED = `message_id is null and submission_id is null
  and created_at < now() - interval '24 hours'`;

const WITH_UNATTACHED = `select distinct sub_account_id as id from files where ${IS_UNATTACHED}`;

/** The trigger of the table queues their contents. */
const PRUNE_UNATTACHED = `delete from files where sub_account_id = $1 and id in (
    select id from files where sub_account_id = $1 and ${IS_UNATTACHED}
    limit 10000 for update skip locked)`;
