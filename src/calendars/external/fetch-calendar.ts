import { createHash } from 'node:crypto';
import type { View } from '#core/work.ts';
import { DAY_MS } from '#lib/duration.ts';
import type { Period } from './busy-in.ts';
import { queryCaldav } from './caldav.ts';
import { findCalendar } from './find-calendar.ts';
import type { ExternalSetup, Validators } from './external-setup.ts';
import { fetchIcs, type FetchedIcs, type FetchOptions } from './fetch-ics.ts';
import { readBusy } from './read-busy.ts';

/** Further ahead nobody's calendar says much. */
export const AHEAD_MS = 400 * DAY_MS;
/** After so long it is read again though nothing changed: another day is in reach by then. */
const READ_AGAIN_MS = DAY_MS;

export type FetchedCalendar =
  | {
      readonly busy: readonly Period[];
      readonly validators: Validators;
      readonly holds: SyncedEvents;
    }
  | { readonly isUnchanged: true; readonly holds?: SyncedEvents }
  | { readonly failure: string };

/** Appointments of ours whose events are in it. */
type SyncedEvents = ReadonlySet<string>;

/** Asks an external calendar, outside any transaction. Never rejects for what the other side does. */
export async function fetchCalendar(
  view: View,
  setup: ExternalSetup,
  way: FetchOptions,
): Promise<FetchedCalendar> {
  const now = view.now.getTime();
  const window = { from: now - DAY_MS, until: now + AHEAD_MS };
  const { readAt = 0 } = setup.validators;
  const isFresh = readAt > now - READ_AGAIN_MS;
  const validators = isFresh ? setup.validators : {};
  const told =
    setup.type === 'ics'
      ? await fetchIcs({ ...setup, validators }, way)
      : await fetchCaldav({ ...setup, validators }, window, way);
  if (!('texts' in told)) {
    return told;
  }
  const { texts } = told;
  const hash = hashOf(texts);
  const holds = await ownAmong(view, texts);
  if (hash === validators.hash) {
    return { isUnchanged: true, holds };
  }
  const own = [...holds].map((id) => `${id}@frontdesk`);
  try {
    const busy = await readBusy(texts, { ...window, timezone: setup.timezone, own });
    return { busy, validators: { ...told.validators, hash, readAt: now }, holds };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

/** Where the calendar is, is found out with its first query, and once a day after that. */
async function fetchCaldav(
  setup: ExternalSetup,
  window: Period,
  way: FetchOptions,
): Promise<FetchedIcs> {
  const { calendar } = setup.validators;
  const found = calendar === undefined ? await findCalendar(setup, way) : { calendar };
  return 'failure' in found ? found : queryCaldav(found.calendar, setup, window, way);
}

const hashOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\n')).digest('base64url');

const OWN = /^UID:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@frontdesk\s*$/gim;

/** Events of appointments of this sub-account: another's, or another installation's, are busy times. */
async function ownAmong(view: View, texts: readonly string[]): Promise<SyncedEvents> {
  const ids = texts.flatMap((text) => [...text.matchAll(OWN)].map(([, id = '']) => id));
  if (ids.length === 0) {
    return new Set();
  }
  const rows = await view.rows<{ id: string }>(APPOINTMENTS, [view.subAccountId, ids]);
  return new Set(rows.map(({ id }) => id));
}

const APPOINTMENTS = `select id from appointments where sub_account_id = $1 and id = any($2::uuid[])`;
