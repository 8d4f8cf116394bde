import type { Work } from '#core/work.ts';
import { refuseUnknownAssignee } from '../../accounts/team/refuse-unknown-assignee.ts';
import { addressesOf, emailKeysOf, moveEmails } from './addresses.ts';
import { announceChange } from './announce-change.ts';
import type { ContactChange } from './contact-change.ts';
import { RECORD_COLUMNS, rowsText } from './contact-rows.ts';

/**
 * Writes any number of changes to locked contacts, by their ids, and their events in one statement.
 * Where addresses move, there is one change only: one contact may take what another gives away.
 */
export async function changeContacts(
  work: Work,
  changes: ReadonlyMap<string, ContactChange>,
): Promise<void> {
  if (changes.size === 0) {
    return;
  }
  const records = [...changes].map(([id, { after }]) => {
    return { ...after, id, addresses: addressesOf(after), updatedAt: work.now };
  });
  work.write(CHANGE_CONTACTS, [work.subAccountId, rowsText(records)]);
  refuseUnknownAssignee(work, 'contacts');
  for (const [id, change] of changes) {
    moveEmails(work, id, emailKeysOf(change.before), emailKeysOf(change.after));
    await announceChange(work, id, change);
  }
}

const CHANGED = RECORD_COLUMNS.filter(
  (column) => !['sub_account_id', 'id', 'created_at'].includes(column),
);

const CHANGE_CONTACTS = `update contacts c
  set ${CHANGED.map((column) => `${column} = changed.${column}`).join(', ')}
  from json_populate_recordset(null::contacts, $2::json) as changed
  where c.sub_account_id = $1 and c.id = changed.id`;
