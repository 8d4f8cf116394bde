import { LockMode } from '@mikro-orm/core';
import { Fault, notFound } from '#core/fault.ts';
import type { CachedRead, View, Work } from '#core/work.ts';
import { Campaign } from './campaign.entity.ts';
import type { CampaignStatus } from './campaign.schema.ts';

/** Returns the campaign, locked against other writers until the work ends. Throws NOT_FOUND. */
export async function lockCampaign(work: Work, id: string): Promise<Campaign> {
  const { em, subAccountId } = work;
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const campaign = await em.findOne(Campaign, { subAccountId, id }, { lockMode });
  if (!campaign) {
    throw notFound('campaign');
  }
  work.audit(id);
  return campaign;
}

/** Throws invalid_status unless the campaign has one of the given statuses. */
export function requireStatus(
  { status }: Pick<Campaign, 'status'>,
  from: readonly CampaignStatus[],
  verb: string,
): void {
  if (!from.includes(status)) {
    const message = `invalid_status: a campaign that is ${status} cannot be ${verb}`;
    throw new Fault('invalid_status', message);
  }
}

/** Throws invalid_status for a run of a recurring campaign. */
export function requireNoRun(
  { recurringCampaignId = null }: Pick<Campaign, 'recurringCampaignId'>,
  verb: string,
): void {
  if (recurringCampaignId !== null) {
    const message = `invalid_status: a run of a recurring campaign cannot be ${verb}`;
    throw new Fault('invalid_status', message);
  }
}

/** Throws NOT_FOUND unless the campaign exists. */
export async function requireCampaign(view: View, id: string): Promise<void> {
  const found = await view.rows(KNOWN, [view.subAccountId, id]);
  if (found.length === 0) {
    throw notFound('campaign');
  }
}

const KNOWN = 'select 1 from campaigns where sub_account_id = $1 and id = $2';

/** Sets a campaign to `held` until an admin resumes or cancels it. `reason` is a code. */
export const markHeld = (work: Work, id: string, reason: string): void =>
  work.write(MARK_HELD, [work.subAccountId, id, work.now, reason]);

const MARK_HELD = `update campaigns set status = 'held', held_because = $4, updated_at = $3
  where sub_account_id = $1 and id = $2 and status in ('scheduled', 'sending')`;

/** A campaign that is later than this is not sent by itself. */
export const LATE_H = 6;

/** SQL: why campaign `c` of the sub-account `own` is held, or that it had no recipients; null if neither is the case. */
export const problemOf = (own: string): string => `coalesce(c.held_because,
    case when c.status in ('sending', 'sent') and not exists (
      select from campaign_recipients p
      where p.sub_account_id = ${own} and p.campaign_id = c.id
    ) then 'empty_audience' end)`;

const FEATURE = 'campaigns';

/** Throws feature_unavailable if the sub-account has a list of features that lacks `campaigns`. */
export async function requireFeature(view: View): Promise<void> {
  const [found] = await view.cached(FEATURES);
  if (found && !hasCampaigns(found.features)) {
    throw new Fault(
      'feature_unavailable',
      'feature_unavailable: campaigns are not among the features of this sub-account',
    );
  }
}

const hasCampaigns = (features: readonly string[] | null): boolean =>
  features === null || features.includes(FEATURE);

const FEATURES: CachedRead<{ readonly features: string[] | null }> = {
  tables: ['sub_accounts'],
  text: 'select features from sub_accounts where id = $1',
};
