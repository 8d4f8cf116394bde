import type { Work } from '#core/work.ts';

/** Keeps a campaign back until a person says what becomes of it; the reason is a word. */
export const holdCampaign = (work: Work, id: string, reason: string): void =>
  work.write(HOLD, [work.subAccountId, id, work.now, reason]);

const HOLD = `update campaigns set status = 'held', held_because = $4, updated_at = $3
  where sub_account_id = $1 and id = $2 and status in ('scheduled', 'sending')`;
