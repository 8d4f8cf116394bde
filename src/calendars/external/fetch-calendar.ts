import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import { openGate, withLatePlace } from '#lib/gate.ts';
import { openShares } from '#lib/shares.ts';
import { queryCaldav } from './caldav.ts';
import type { CalendarDigest } from './digest-calendar.ts';
import { discoverCalendar } from './discover-calendar.ts';
import type { ExternalSetup, Validators } from './external-setup.ts';
import { fetchIcs, type FetchedIcs, type FetchOptions } from './fetch-ics.ts';
import type { Period } from './event-clock.ts';
import { readBusy, UnreadableCalendar } from './read-busy.ts';

/** Calendars have few events beyond this. */
export const AHEAD_MS = 400 * DAY_MS;
/** An unchanged calendar is read again after this time: the window has moved on by a day. */
const READ_AGAIN_MS = DAY_MS;

export type FetchedCalendar =
  | {
      readonly busy: readonly Period[];
      /** Why some busy times may be missing. */
      readonly unread?: string | undefined;
      readonly validators: Validators;
      readonly synced: SyncedEvents | undefined;
    }
  | { readonly isUnchanged: true; readonly synced?: SyncedEvents | undefined }
  | { readonly failure: string };

/** Ids of our appointments whose events are in the calendar. */
type SyncedEvents = ReadonlySet<string>;

/**
 * Calendars of more than 64 KiB that are fetched and read at the same time. Each takes up to 25 MB until
 * it has been read, and a server that sends slowly keeps it for the whole timeout.
 */
const LARGE_AT_ONCE = 8;

const largeCalendars = openGate({ shares: openShares<string>(LARGE_AT_ONCE) });

/** Fetches an external calendar, outside any transaction. Errors of the server are returned, not thrown. */
export const fetchCalendar = (
  view: View,
  setup: ExternalSetup,
  options: FetchOptions,
): Promise<FetchedCalendar> =>
  withLatePlace(largeCalendars, view.subAccountId, (makeRoom) =>
    fetchAndRead(view, setup, { ...options, makeRoom }),
  );

async function fetchAndRead(
  view: View,
  setup: ExternalSetup,
  options: FetchOptions,
): Promise<FetchedCalendar> {
  const now = view.now.getTime();
  const window = { from: now - DAY_MS, until: now + AHEAD_MS };
  const { readAt = 0 } = setup.validators;
  const isFresh = readAt > now - READ_AGAIN_MS;
  const validators = isFresh ? setup.validators : {};
  const fetched =
    setup.type === 'ics'
      ? await fetchIcs({ ...setup, validators }, options)
      : await fetchCaldav({ ...setup, validators }, window, options);
  if (!('texts' in fetched)) {
    return fetched;
  }
  const planWith = (digest: CalendarDigest) =>
    planReading(view, { ...setup, validators }, window, digest);
  try {
    const { plan, busy } = await readBusy(fetched.texts, planWith, options);
    const { hash, synced } = plan;
    if (!busy) {
      return { isUnchanged: true, synced };
    }
    const { periods, unread } = busy;
    const { calendar } = fetched.validators;
    // As an unchanged calendar, it would count as read without an error next time.
    const known = unread === undefined ? { ...fetched.validators, hash } : { calendar };
    return { busy: periods, unread, validators: { ...known, readAt: now }, synced };
  } catch (error) {
    if (error instanceof UnreadableCalendar) {
      return { failure: error.message };
    }
    throw error;
  }
}

/** An unchanged calendar is not read again; which of our events it has is known nevertheless. */
async function planReading(
  view: View,
  { type, timezone, validators }: ExternalSetup,
  window: Period,
  { hash, ids }: CalendarDigest,
) {
  const isUnchanged = hash === validators.hash;
  // In an ICS file no events are missed: we write none there.
  const synced = isUnchanged && type === 'ics' ? undefined : await ownAmong(view, ids);
  const own = [...(synced ?? [])].map((id) => `${id}@frontdesk`);
  return { hash, synced, query: isUnchanged ? undefined : { ...window, timezone, own } };
}

/** The calendar's URL is discovered with the first query, and once a day after that. */
async function fetchCaldav(
  setup: ExternalSetup,
  window: Period,
  options: FetchOptions,
): Promise<FetchedIcs> {
  const { calendar } = setup.validators;
  const found = calendar === undefined ? await discoverCalendar(setup, options) : { calendar };
  return 'failure' in found ? found : queryCaldav(found.calendar, setup, window, options);
}

const IDS_AT_ONCE = 1_000;

/** Returns the sub-account's appointments among the ids. Those of other sub-accounts or installations are busy times. */
async function ownAmong(view: View, ids: readonly string[]): Promise<SyncedEvents> {
  const own = new Set<string>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE);
    const rows = await view.rows<{ id: string }>(APPOINTMENTS, [view.subAccountId, some]);
    rows.forEach(({ id }) => own.add(id));
  }
  return own;
}

const APPOINTMENTS = `select id from appointments where sub_account_id = $1 and id = any($2::uuid[])`;
