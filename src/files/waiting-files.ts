import type { Work } from '#core/work.ts';

/** How much the uploads of visitors to one form, or to the chats of a sub-account, may use while they wait. */
const WAITING_MAX_BYTES = 1024 * 1024 * 1024;

/**
 * Makes room for a file of a visitor that waits for its message or submission. Beyond 1 GiB of waiting
 * files, the oldest of the form, or of all chats, are deleted: a flood of uploads fills no disk, and keeps
 * no visitor from sending theirs.
 */
export async function evictWaiting(
  work: Work,
  size: number,
  { formId }: { readonly formId?: string } = {},
): Promise<void> {
  const room = WAITING_MAX_BYTES - size;
  await (formId === undefined
    ? work.rows(EVICT_OF_CHATS, [work.subAccountId, room])
    : work.rows(EVICT_OF_FORM, [work.subAccountId, room, formId]));
}

/** A file waits until it is part of a message or a submission. */
const evict = (place: string): string => `delete from files f using (
    select id, sum(size) over (order by created_at desc, id desc) as total
    from files
    where sub_account_id = $1 and ${place} and message_id is null and submission_id is null
  ) as waiting
  where f.sub_account_id = $1 and f.id = waiting.id and waiting.total > $2
    and f.message_id is null and f.submission_id is null`;

const EVICT_OF_FORM = evict('form_id = $3');
const EVICT_OF_CHATS = evict('session_id is not null');
