import { HOUR_MS } from '#lib/duration.ts';
import { firstIdAt } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import type { Channel } from '../../contacts/channels.ts';

/**
 * How many automatic messages a contact gets by one channel in an hour before workflows send no more:
 * another program, such as an auto-responder, may answer each of them without end.
 */
const AUTOMATIC_MAX = 20;

/** Returns why a contact gets no further automatic message on the channel; undefined if it may. */
export async function automaticRefusal(
  view: View,
  contactId: string,
  channel: Channel,
): Promise<string | undefined> {
  // Visitors of the widget are limited by their address.
  if (channel === 'live_chat') {
    return undefined;
  }
  const since = firstIdAt(new Date(view.now.getTime() - HOUR_MS));
  const [row] = await view.rows<{ sent: number }>(SENT, [
    view.subAccountId,
    contactId,
    channel,
    since,
  ]);
  return (row?.sent ?? 0) < AUTOMATIC_MAX
    ? undefined
    : `the contact got ${AUTOMATIC_MAX} automatic messages by ${channel} within an hour; probably another program answers them`;
}

const SENT = `select count(*)::int as sent from (
    select from conversations v
    join messages m on m.sub_account_id = v.sub_account_id and m.conversation_id = v.id
    where v.sub_account_id = $1 and v.contact_id = $2 and v.channel = $3 and m.id >= $4
      and m.direction = 'outbound' and m.is_automatic
    limit ${AUTOMATIC_MAX}
  ) as automatic`;
