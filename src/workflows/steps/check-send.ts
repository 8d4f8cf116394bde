import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';
import { isOptedOutOf } from '../../contacts/consent/suppressions.ts';
import { carrierOf } from '../../conversations/channels/channel.store.ts';
import {
  automaticRefusal,
  noticeRefusal,
  type CountOf,
} from '../../conversations/messages/automatic-limit.ts';
import { idAnHourAgo } from '../../conversations/messages/similar-contacts.ts';

/** The result of a `send` or `notify` step that sends nothing. */
export interface Unsent {
  readonly outcome: 'skipped' | 'failed';
  readonly detail: string;
}

/** The console translates this text (`run-steps.tsx`). */
export const OPTED_OUT = 'the contact opted out of this channel, or has do-not-disturb set';

/** Returns why a `send` step sends nothing to a contact; undefined if it sends. */
export async function checkSend(
  view: View,
  contactId: string,
  channel: Channel,
): Promise<Unsent | undefined> {
  if ((await carrierOf(view, channel)) === undefined) {
    return { outcome: 'failed', detail: `no provider is set up for ${channel}` };
  }
  if (await isOptedOutOf(view, contactId, channel)) {
    return { outcome: 'skipped', detail: OPTED_OUT };
  }
  return failedBecause(await automaticRefusal(view, contactId, channel));
}

/** Returns why a `notify` step of a run for the contact sends nothing; undefined if it sends. */
export async function checkNotify(view: View, contactId: string): Promise<Unsent | undefined> {
  const countOf: CountOf = async (ids, max) => {
    const [row] = await view.rows<{ sent: number }>(NOTICES, [
      view.subAccountId,
      ids,
      idAnHourAgo(view),
      max,
    ]);
    return row?.sent ?? 0;
  };
  return failedBecause(await noticeRefusal(view, contactId, countOf));
}

const failedBecause = (detail: string | undefined): Unsent | undefined =>
  detail === undefined ? undefined : { outcome: 'failed', detail };

const NOTICES = `select count(*)::int as sent from (
    select from workflow_runs r
    join workflow_log l on l.sub_account_id = $1 and l.run_id = r.id
    where r.sub_account_id = $1 and r.contact_id = any($2::uuid[])
      and l.id >= $3 and l.step = 'notify' and l.outcome = 'done'
    limit $4
  ) as notices`;
