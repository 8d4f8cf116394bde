import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';

/** Throws NOT_FOUND where an id names no campaign. */
export async function requireCampaign(view: View, id: string): Promise<void> {
  const found = await view.rows(KNOWN, [view.subAccountId, id]);
  if (found.length === 0) {
    throw notFound('campaign');
  }
}

const KNOWN = 'select 1 from campaigns where sub_account_id = $1 and id = $2';
