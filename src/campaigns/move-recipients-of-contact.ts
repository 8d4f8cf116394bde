import type { Occurrence } from '#kit/event.ts';
import type { Work } from '#kit/work.ts';

/** Whoever became part of another contact is on his lists as the other, and is still mailed. */
export async function moveRecipientsOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  const values = [work.subAccountId, data.mergedContactId, contactId];
  work.write(COPY_MEMBERSHIPS, values);
  work.write(DELETE_MEMBERSHIPS, values.slice(0, 2));
  work.write(MOVE_LINES, values);
}

const COPY_MEMBERSHIPS = `insert into list_members (sub_account_id, list_id, contact_id, created_at)
  select sub_account_id, list_id, $3, created_at from list_members
  where sub_account_id = $1 and contact_id = $2
  on conflict do nothing`;

const DELETE_MEMBERSHIPS = `delete from list_members where sub_account_id = $1 and contact_id = $2`;

const MOVE_LINES = `update campaign_recipients r set contact_id = $3
  from campaigns c
  where c.sub_account_id = $1 and c.status in ('sending', 'paused', 'held')
    and r.sub_account_id = $1 and r.campaign_id = c.id and r.contact_id = $2
    and r.status = 'pending'`;
