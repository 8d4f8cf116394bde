import type { Work } from '#core/work.ts';
import { notFound } from '#core/fault.ts';

/** Marks every message of a conversation as read. Changes nothing if it is read already. */
export const markRead = (work: Work, id: string): Promise<void> => change(work, id, READ);

/** Marks a conversation as unread, as if one message were. */
export const markUnread = (work: Work, id: string): Promise<void> => change(work, id, UNREAD);

async function change(work: Work, id: string, { to, unless }: Change): Promise<void> {
  const values = [work.subAccountId, id];
  const [found] = await work.rows<{ isSame: boolean }>(
    `select ${unless} as "isSame" from conversations
     where sub_account_id = $1 and id = $2 and deleted_at is null for no key update`,
    values,
  );
  if (!found) {
    throw notFound('conversation');
  }
  if (!found.isSame) {
    work.write(
      `update conversations set unread_count = ${to}, updated_at = $3
       where sub_account_id = $1 and id = $2`,
      [...values, work.now],
    );
    work.audit(id);
  }
}

interface Change {
  readonly to: number;
  /** SQL: the conversation is like that already. */
  readonly unless: string;
}

const READ: Change = { to: 0, unless: 'unread_count = 0' };
const UNREAD: Change = { to: 1, unless: 'unread_count > 0' };
