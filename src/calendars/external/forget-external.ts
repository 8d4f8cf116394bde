import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { fetchExternal } from './external.jobs.ts';

/** What another calendar said is nothing to the one that the member keeps now; that is asked at once. */
export async function forgetExternal(
  work: Work,
  { data: { memberId } }: Occurrence<{ memberId: string }>,
): Promise<void> {
  const { subAccountId } = work;
  work.write(FORGET, [subAccountId, memberId]);
  const key = `${fetchExternal.name}:${memberId}`;
  work.enqueue(fetchExternal, { subAccountId, memberId }, { key });
}

const FORGET = 'delete from external_busy where sub_account_id = $1 and member_id = $2';
