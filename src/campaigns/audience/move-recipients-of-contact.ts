import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/**
 * Replaces a merged contact by the kept one, on lists and in campaigns. A contact gets one mail per
 * campaign. If a mail was sent or is under way, pending recipients are skipped with the code `merged`;
 * of two pending recipients, one stays.
 */
export async function moveRecipientsOfContact(
  work: Work,
  { contactId, data }: Occurrence<{ mergedContactId: string }>,
): Promise<void> {
  const values = [work.subAccountId, data.mergedContactId, contactId];
  work.write(COPY_MEMBERSHIPS, values);
  work.write(DELETE_MEMBERSHIPS, values.slice(0, 2));
  work.write(LOCK_RECIPIENTS, values);
  work.write(MOVE_RECIPIENTS, values);
  work.write(SKIP_REPEATED, values);
  work.write(MOVE_SETTLED, values);
}

const COPY_MEMBERSHIPS = `insert into list_members (sub_account_id, list_id, contact_id, created_at)
  select sub_account_id, list_id, $3, created_at from list_members
  where sub_account_id = $1 and contact_id = $2
  on conflict do nothing`;

const DELETE_MEMBERSHIPS = `delete from list_members where sub_account_id = $1 and contact_id = $2`;

const PENDING = `c.sub_account_id = $1 and c.status in ('sending', 'paused', 'held')
    and r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'pending'`;

/** Waits for a worker that is claiming one of them: the statements below then see the claim. */
const LOCK_RECIPIENTS = `select r.id from campaign_recipients r join campaigns c on ${PENDING}
  where r.contact_id in ($2, $3) order by r.id for update of r`;

const MOVE_RECIPIENTS = `update campaign_recipients r set contact_id = $3
  from campaigns c where ${PENDING} and r.contact_id = $2`;

/** Another pending recipient of contact `k` is mailed instead of recipient `r`. */
const HAS_PREFERRED = `exists (
      select from campaign_recipients o
      where o.sub_account_id = $1 and o.campaign_id = r.campaign_id and o.contact_id = k.id
        and o.status = 'pending' and o.id <> r.id
        and (o.address = lower(k.email) or (r.address <> lower(k.email) and o.id < r.id))
    )`;

/**
 * By now the kept contact has the addresses of both. Of several pending recipients, the one with its
 * primary address stays. A recipient under way may have an address that the contact no longer has.
 */
const SKIP_REPEATED = `update campaign_recipients r
  set status = 'skipped', error_code = 'merged', settled_at = now()
  from campaigns c, contacts k
  where ${PENDING} and r.contact_id = $3 and k.sub_account_id = $1 and k.id = $3 and (
    exists (
      select from campaign_recipients o
      where o.sub_account_id = $1 and o.campaign_id = r.campaign_id and o.address = any(k.addresses)
        and o.status in ('sending', 'sent', 'unknown')
    ) or exists (
      select from campaign_recipients o
      where o.sub_account_id = $1 and o.campaign_id = r.campaign_id
        and o.contact_id in ($2, $3) and o.status in ('sending', 'unknown')
    ) or ${HAS_PREFERRED}
  )`;

/**
 * Recipients whose outcome is known, by the addresses that the kept contact has. Others may be sent again
 * and keep their contact, by which a second mail is recognised.
 */
const MOVE_SETTLED = `update campaign_recipients r set contact_id = $3
  from campaigns c, contacts k
  where c.sub_account_id = $1 and k.sub_account_id = $1 and k.id = $3
    and r.sub_account_id = $1 and r.campaign_id = c.id and r.address = any(k.addresses)
    and r.contact_id = $2 and r.status in ('sent', 'skipped', 'failed')`;

/**
 * As SKIP_REPEATED, for a campaign that is starting. Merges that were committed while its recipients were
 * written have not seen them; later ones wait, since the foreign key of a recipient locks its contact.
 */
export async function moveRecipientsOfMerged(work: Work, campaignId: string): Promise<void> {
  const kept: string[] = [];
  for (let isMore = true; isMore;) {
    const values = [work.subAccountId, campaignId];
    const moved = await work.rows<{ contactId: string }>(MOVE_MERGED, values);
    kept.push(...moved.map(({ contactId }) => contactId));
    // The kept contact may itself have been merged while its lock was awaited.
    isMore = moved.length > 0;
  }
  if (kept.length > 0) {
    await work.rows(SKIP_REPEATED_AT_START, [work.subAccountId, campaignId, kept]);
  }
}

const MOVE_MERGED = `update campaign_recipients r set contact_id = c.merged_into
  from contacts c
  where r.sub_account_id = $1 and r.campaign_id = $2 and r.status = 'pending'
    and c.sub_account_id = $1 and c.id = r.contact_id and c.merged_into is not null
  returning r.contact_id as "contactId"`;

const SKIP_REPEATED_AT_START = `update campaign_recipients r
  set status = 'skipped', error_code = 'merged', settled_at = now()
  from contacts k
  where r.sub_account_id = $1 and r.campaign_id = $2 and r.status = 'pending'
    and r.contact_id = any($3::uuid[]) and k.sub_account_id = $1 and k.id = r.contact_id
    and ${HAS_PREFERRED}`;
