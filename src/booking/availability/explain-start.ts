import { MINUTE_MS } from '#lib/duration.ts';
import type { View } from '#core/work.ts';
import type { Offer } from '../../calendars/find-offer.ts';
import { explainSlot } from '../../calendars/slots/explain-slot.ts';
import { loadConflicts } from './check-slot.ts';

/** Explains whether a start can be booked now: with which members, or against which rule. */
export async function explainStart(view: View, offer: Offer, startTime: number) {
  const { calendar, type } = offer;
  const times = { startTime, endTime: startTime + type.duration * MINUTE_MS };
  const { busy } = await loadConflicts(view.rows, view.subAccountId, offer, times);
  const team = await view.rows<{ id: string; name: string }>(TEAM, [view.subAccountId]);
  const names = new Map(team.map(({ id, name }) => [id, name]));
  return explainSlot({
    schedule: calendar.schedule,
    type,
    busy,
    start: startTime,
    now: view.now.getTime(),
    nameOf: (memberId) => names.get(memberId) ?? calendar.name,
  });
}

const TEAM = 'select id, name from team_members where sub_account_id = $1';
