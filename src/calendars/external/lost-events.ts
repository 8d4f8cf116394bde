import type { View, Work } from '#core/work.ts';
import { AHEAD_MS } from './fetch-calendar.ts';
import { findEvent } from './caldav.ts';
import type { ExternalSetup } from './external-setup.ts';
import { eventDeletedOutside } from './external.events.ts';
import type { FetchOptions } from './fetch-ics.ts';

/** Each is asked for by itself before it counts as gone; the rest waits for the next time. */
const AT_ONCE_MAX = 20;
/** So many answers may be as late as one may be. */
const TIMEOUTS_MAX = 2;
const GONE = new Set([404, 410]);

interface SyncedEvent {
  readonly appointmentId: string;
  readonly url: string;
}

/** Appointments whose events are not in the calendar any more, though nobody here took them out. */
export async function findLostEvents(
  view: View,
  setup: ExternalSetup,
  seen: ReadonlySet<string>,
  way: FetchOptions,
): Promise<string[]> {
  const { subAccountId, now } = view;
  const until = new Date(now.getTime() + AHEAD_MS);
  const holds = await view.rows<SyncedEvent>(SYNCED_EVENTS, [
    subAccountId,
    setup.memberId,
    now,
    until,
  ]);
  // A server that is slow about each would else be asked until the next time, and again by that.
  const signal = AbortSignal.any([way.signal, AbortSignal.timeout(TIMEOUTS_MAX * way.timeoutMs)]);
  const lost: string[] = [];
  for (const { appointmentId, url } of holds.filter(
    ({ appointmentId }) => !seen.has(appointmentId),
  )) {
    if (lost.length < AT_ONCE_MAX && (await isGone(setup, url, { ...way, signal }))) {
      lost.push(appointmentId);
    }
  }
  return lost;
}

/** Those written while the calendar was asked are none of them. */
const SYNCED_EVENTS = `select appointment_id as "appointmentId", url from external_holds
  where sub_account_id = $1 and member_id = $2 and start_time > $3 and end_time < $4
    and written_at < $3 and lost_at is null
  order by start_time`;

async function isGone(setup: ExternalSetup, url: string, way: FetchOptions): Promise<boolean> {
  try {
    return GONE.has((await findEvent(setup, url, way)).status);
  } catch {
    return false;
  }
}

/** Tells it once. */
export async function reportLostEvent(
  work: Work,
  { memberId, deletedOutside }: ExternalSetup,
  appointmentId: string,
): Promise<void> {
  const values = [work.subAccountId, appointmentId, memberId, work.now];
  if ((await work.rows(LOSE, values)).length > 0) {
    const data = { appointmentId, deletedOutside: deletedOutside ?? 'keep' };
    await work.emit(eventDeletedOutside, { contactId: null, data });
  }
}

const LOSE = `update external_holds set lost_at = $4
  where sub_account_id = $1 and appointment_id = $2 and member_id = $3 and lost_at is null
  returning appointment_id`;
