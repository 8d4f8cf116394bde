import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/** The kept contact has the activity of both. Other changes are marked when their events are published. */
export const markMergedContact = async (
  work: Work,
  { contactId }: Occurrence<unknown>,
): Promise<void> => work.write(MARK, [work.subAccountId, contactId]);

const MARK = 'insert into engagement_marks (sub_account_id, contact_id) values ($1, $2)';
