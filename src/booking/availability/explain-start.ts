import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import { explainSlot } from '../../calendars/slots/explain-slot.ts';
import { loadConflicts } from './load-conflicts.ts';

/** Whether a start can be booked now, and with whom, or which rule and figures hide it. */
export async function explainStart(view: View, offer: Offer, startTime: number) {
  const { calendar, type } = offer;
  const endTime = startTime + type.duration * MINUTE_MS;
  const { taken } = await loadConflicts(view.subAccountId, view.rows, offer, {
    startTime,
    endTime,
  });
  const team = await view.rows<{ id: string; name: string }>(TEAM, [view.subAccountId]);
  const names = new Map(team.map(({ id, name }) => [id, name]));
  return explainSlot({
    schedule: calendar.schedule,
    type,
    taken,
    start: startTime,
    now: view.now.getTime(),
    nameOf: (memberId) => names.get(memberId) ?? calendar.name,
  });
}

const TEAM = 'select id, name from team_members where sub_account_id = $1';
