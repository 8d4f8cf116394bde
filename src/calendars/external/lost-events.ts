import { isoText } from '#core/schema/columns.ts';
import type { View, Work } from '#core/work.ts';
import { AHEAD_MS } from './fetch-calendar.ts';
import { findEvent, isIn } from './caldav.ts';
import type { ExternalSetup } from './external-setup.ts';
import { eventDeletedOutside } from './external.events.ts';
import type { FetchOptions } from './fetch-ics.ts';

/** Each missing event costs a request; the rest waits for the next fetch. */
const AT_ONCE_MAX = 20;
/** All checks together may take as long as this many single requests. */
const TIMEOUTS_MAX = 2;
const GONE = new Set([404, 410]);

interface SyncedEvent {
  readonly appointmentId: string;
  readonly url: string;
  readonly writtenAt: string;
}

/** Returns the events that were deleted in the calendar, but not by us. */
export async function findLostEvents(
  view: View,
  setup: ExternalSetup,
  seen: ReadonlySet<string>,
  options: FetchOptions,
): Promise<SyncedEvent[]> {
  const { subAccountId, now } = view;
  const until = new Date(now.getTime() + AHEAD_MS);
  const events = await view.rows<SyncedEvent>(SYNCED_EVENTS, [
    subAccountId,
    setup.memberId,
    now,
    until,
  ]);
  // A slow server would otherwise keep this job running until the next one starts.
  const signal = AbortSignal.any([
    options.signal,
    AbortSignal.timeout(TIMEOUTS_MAX * options.timeoutMs),
  ]);
  const lost: SyncedEvent[] = [];
  for (const event of events) {
    const isMissing = !seen.has(event.appointmentId) && isIn(setup, event.url);
    const mayAsk = isMissing && lost.length < AT_ONCE_MAX;
    if (mayAsk && (await isGone(setup, event.url, { ...options, signal }))) {
      lost.push(event);
    }
  }
  return lost;
}

/** Events written while the calendar was being fetched are left out. */
const SYNCED_EVENTS = `select appointment_id as "appointmentId", url,
    ${isoText('written_at')} as "writtenAt" from external_holds
  where sub_account_id = $1 and member_id = $2 and start_time > $3 and end_time < $4
    and written_at < $3 and lost_at is null
  order by start_time`;

async function isGone(setup: ExternalSetup, url: string, options: FetchOptions): Promise<boolean> {
  try {
    return GONE.has((await findEvent(setup, url, options)).status);
  } catch {
    return false;
  }
}

/** Emits the event once per deletion, unless the event was written again meanwhile. */
export async function reportLostEvent(
  work: Work,
  { memberId, deletedOutside }: ExternalSetup,
  { appointmentId, url, writtenAt }: SyncedEvent,
): Promise<void> {
  const values = [work.subAccountId, appointmentId, memberId, work.now, url, writtenAt];
  if ((await work.rows(LOSE, values)).length > 0) {
    const data = { appointmentId, deletedOutside: deletedOutside ?? 'keep' };
    await work.emit(eventDeletedOutside, { contactId: null, data });
  }
}

const LOSE = `update external_holds set lost_at = $4
  where sub_account_id = $1 and appointment_id = $2 and member_id = $3 and lost_at is null
    and url = $5 and written_at <= $6
  returning appointment_id`;
