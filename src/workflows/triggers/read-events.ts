import { handle } from '#core/job.ts';
import type { Log } from '#core/tools.ts';
import type { Work } from '#core/work.ts';
import { lockCurrentContacts } from '../../contacts/contact.store.ts';
import { depthsOf } from '../runs/effects.ts';
import { findListeners } from './listeners.ts';
import { fits } from '../definition/conditions.ts';
import { signalRuns } from './signal-runs.ts';
import { startRuns, type StartInput } from './start-runs.ts';
import { readEvents } from '../runs/workflows.jobs.ts';

const PAGE = 200;
/** Limits the memory for a page: events of public forms may have up to 1 MB each. */
const PAGE_BYTES = 8_000_000;

/** Starts and continues runs for the events of a sub-account. Each event counts once. */
export const handleReadEvents = handle(
  readEvents,
  async ({ subAccountId }, { transact, actor, signal, log }) => {
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      isMore = await transact(subAccountId, actor, (work) => readPage(work, log));
    }
  },
);

interface EventRow {
  readonly name: string;
  readonly position: number;
  readonly contactId: string | null;
  readonly occurredAt: Date;
  readonly data: object;
}

/** Handles a page of events and stores the position. Returns whether more events may follow. */
async function readPage(work: Work, log: Log): Promise<boolean> {
  const { subAccountId } = work;
  const [reader] = await work.rows<{ position: number; names: string[] }>(LOCK_READER, [
    subAccountId,
  ]);
  if (!reader) {
    return false;
  }
  const values = [subAccountId, reader.position, reader.names, PAGE, PAGE_BYTES];
  const rows = await work.rows<EventRow & { head: number; found: number }>(NEXT_EVENTS, values);
  const events = rows.filter(({ name }) => name !== null);
  if (events.length > 0) {
    const current = await lockCurrentContacts(
      work,
      events.flatMap(({ contactId }) => contactId ?? []),
    );
    await startRuns(work, await startsFor(work, events, current), log);
    const ofContacts = events.flatMap((event) =>
      event.contactId === null ? [] : [{ ...event, contactId: currentOf(event, current) }],
    );
    await signalRuns(work, ofContacts);
  }
  const found = rows[0]?.found ?? 0;
  const isMore = found === PAGE || events.length < found;
  const readTo = isMore ? events.at(-1)?.position : rows[0]?.head;
  work.write(MOVE, [subAccountId, readTo ?? 0]);
  return isMore;
}

const LOCK_READER = `select position, names from workflow_readers where sub_account_id = $1 for update`;

/** Head and events are read in one snapshot, so that no event before the head is missed. */
const NEXT_EVENTS = `select head.position as head, e.*
  from (
    select coalesce(max(position), 0)::int8 as position from events where sub_account_id = $1
  ) as head
  left join lateral (
    select name, position, contact_id as "contactId", occurred_at as "occurredAt", data, found
    from (
      select *, count(*) over ()::int as found, sum(octet_length(data::text)) over (
        order by position rows between unbounded preceding and 1 preceding) as before
      from next_events($1, $2, $3, $4)
    ) as page
    where before is null or before < $5
  ) as e on true
  order by e.position`;

const MOVE = `update workflow_readers set position = greatest(position, $2)
  where sub_account_id = $1`;

/** Returns the contact of an event, or the kept one if it was merged. */
const currentOf = (
  { contactId }: Pick<EventRow, 'contactId'>,
  current: ReadonlyMap<string, string>,
): string | null => current.get(contactId ?? '') ?? contactId;

async function startsFor(
  work: Work,
  events: readonly EventRow[],
  current: ReadonlyMap<string, string>,
): Promise<StartInput[]> {
  const listeners = await findListeners(work);
  const depthOf = await depthsOf(work, events);
  return events.flatMap((event) => {
    const { name, contactId, position, data } = event;
    return listeners
      .filter(
        ({ triggers, sincePosition }) =>
          position > sincePosition &&
          triggers.some(({ on, where }) => on === name && fits(where, { contactId, ...data })),
      )
      .map(({ workflowId, slug, versionId, reenter }) => ({
        workflowId,
        slug,
        versionId,
        reenter,
        contactId: currentOf(event, current),
        data,
        trigger: name,
        depth: depthOf(event),
        sincePosition: position,
      }));
  });
}
