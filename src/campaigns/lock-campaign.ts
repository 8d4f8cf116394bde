import { Fault, notFound } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { CampaignStatus } from './campaign.schema.ts';

export interface LockedCampaign {
  readonly id: string;
  readonly name: string;
  readonly channel: string;
  readonly status: CampaignStatus;
  readonly listId: string | null;
  readonly heldBecause: string | null;
  readonly startedAt: Date | null;
}

/** The campaign, held against other writers until the work is done; NOT_FOUND where there is none. */
export async function lockCampaign(work: Work, id: string): Promise<LockedCampaign> {
  const [campaign] = await work.rows<LockedCampaign>(LOCK, [work.subAccountId, id]);
  if (!campaign) {
    throw notFound('campaign');
  }
  work.audit(id);
  return campaign;
}

const LOCK = `select id, name, channel, status, list_id as "listId",
    held_because as "heldBecause", started_at as "startedAt"
  from campaigns where sub_account_id = $1 and id = $2 for update`;

/** Throws invalid_status where what is asked does not begin from the campaign's status. */
export function requireStatus(
  { status }: Pick<LockedCampaign, 'status'>,
  from: readonly CampaignStatus[],
  verb: string,
): void {
  if (!from.includes(status)) {
    const message = `invalid_status: a campaign that is ${status} cannot be ${verb}`;
    throw new Fault('invalid_status', message);
  }
}
