import type { View, Work } from '#core/work.ts';
import type { CampaignWording } from '../compose/compile-mail.ts';

/** Returns the campaign of the sub-account that has waited longest for its next slice. */
export async function findNext(view: View): Promise<CampaignWording | undefined> {
  const [campaign] = await view.rows<CampaignWording>(SERVE, [view.subAccountId]);
  return campaign;
}

/** Chooses and marks in one statement, for every time slice (bench scenario `campaign`). */
const SERVE = `update campaigns c set served_at = now()
  where c.sub_account_id = $1 and c.id = (
    select n.id from campaigns n
    join sub_accounts a on a.id = n.sub_account_id and a.deleted_at is null
    where n.sub_account_id = $1 and n.status = 'sending' and exists (
      select from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = n.id and r.status = 'pending'
        and (r.due_at is null or r.due_at <= now())
    )
    order by n.served_at nulls first, n.id limit 1
  )
  returning c.id, c.subject, c.preheader, c.content_html as "contentHtml",
    c.layout_html as "layoutHtml"`;

/** Sets campaigns without pending recipients to `sent`. */
export const finishCampaigns = (work: Work): void =>
  work.write(FINISH, [work.subAccountId, work.now]);

const FINISH = `update campaigns c set status = 'sent', finished_at = $2, updated_at = $2
  where c.sub_account_id = $1 and c.status = 'sending'
    and not exists (
      select from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'pending'
    )
    and not exists (
      select from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'sending'
    )`;

/** Returns when the next mail is due, which may be in the past; undefined if none is pending. */
export async function nextDue(view: View): Promise<Date | undefined> {
  const [next] = await view.rows<{ dueAt: Date | null }>(NEXT, [view.subAccountId]);
  return next?.dueAt ?? undefined;
}

const NEXT = `select min(first.due_at) as "dueAt" from campaigns c
  join sub_accounts a on a.id = c.sub_account_id and a.deleted_at is null
  cross join lateral (
    select case when exists (
      select from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'pending'
        and r.due_at is null
    ) then now() else (
      select min(r.due_at) from campaign_recipients r
      where r.sub_account_id = $1 and r.campaign_id = c.id and r.status = 'pending'
    ) end as due_at
  ) as first
  where c.sub_account_id = $1 and c.status = 'sending'`;
