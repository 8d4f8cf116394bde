import { handle, keyOf, type JobContext } from '#core/job.ts';
import type { Log } from '#core/tools.ts';
import type { Work } from '#core/work.ts';
import { isInterruption } from '#platform/queue/give-up.ts';
import { lockCurrentContacts } from '../../contacts/contact.store.ts';
import { depthsOf } from '../runs/effects.ts';
import { findListeners, type Listener } from './listeners.ts';
import { fits } from '../definition/conditions.ts';
import { recordSkips, WorkflowFailure, type Skips } from './skip-events.ts';
import { signalRuns } from './signal-runs.ts';
import { startRuns, type StartInput } from './start-runs.ts';
import { readEvents } from '../runs/workflows.jobs.ts';

const PAGE = 200;
/** Limits the memory for a page: events of public forms may have up to 1 MB each. */
const PAGE_BYTES = 8_000_000;

/** Unexpected errors in a row after which events are read one by one: about 90 seconds. */
const FAILURES_MAX = 5;

/**
 * Starts and continues runs for the events of a sub-account. Each event counts once. An event that
 * fails again and again is skipped for the workflow that it fails for.
 */
export const handleReadEvents = handle(
  readEvents,
  async ({ subAccountId }, context) => {
    const { transact, actor, signal, log } = context;
    for (let isMore = true; isMore;) {
      signal.throwIfAborted();
      try {
        isMore = await transact(subAccountId, actor, (work) => readPage(work, log));
      } catch (error) {
        if (isInterruption(error, context)) {
          throw error;
        }
        const failures = await transact(subAccountId, actor, (work) => countFailure(work));
        if (failures < FAILURES_MAX) {
          throw error;
        }
        isMore = await readOneEvent(context, subAccountId);
      }
    }
  },
  continueAfterDeaths,
);

/**
 * Continues where reading ended several workers: one event per transaction, and if events are already
 * read that way, behind the next one.
 */
async function continueAfterDeaths(
  { subAccountId }: { readonly subAccountId: string },
  { transact, actor, log }: JobContext,
): Promise<void> {
  await transact(subAccountId, actor, async (work) => {
    const [reader] = await work.rows<Reader>(LOCK_READER, [subAccountId]);
    if (reader && isCareful(reader)) {
      const values = [subAccountId, reader.position, reader.names, 1, PAGE_BYTES];
      const [event] = await work.rows<EventRow>(NEXT_EVENTS, values);
      const { position } = event ?? {};
      log.warn({ subAccountId, position }, 'event skipped by all workflows: it ended the workers');
      work.write(MOVE, [subAccountId, position ?? 0, null]);
    } else {
      work.write(MOVE, [subAccountId, 0, CAREFUL]);
    }
    work.enqueue(readEvents, { subAccountId }, { key: keyOf(readEvents, { subAccountId }) });
  });
}

/** Stored as failures: events are read one by one, until none is left. */
const CAREFUL = 1_000_000;
const isCareful = ({ failures }: Reader): boolean => failures >= CAREFUL;

async function countFailure(work: Work): Promise<number> {
  const [reader] = await work.rows<{ failures: number }>(FAILED, [work.subAccountId]);
  return reader?.failures ?? 0;
}

const FAILED = `update workflow_readers set failures = failures + 1 where sub_account_id = $1
  returning failures`;

/**
 * Handles the next event workflow by workflow, and skips it for those that fail. Everything happens
 * in one transaction, which is repeated without the failing workflow. Returns whether more events may
 * follow.
 */
async function readOneEvent(context: JobContext, subAccountId: string): Promise<boolean> {
  const { transact, actor, log } = context;
  const skips = new Map<string, unknown>();
  for (;;) {
    try {
      return await transact(subAccountId, actor, (work) => readPage(work, log, skips));
    } catch (error) {
      if (isInterruption(error, context) || !(error instanceof WorkflowFailure)) {
        throw error;
      }
      skips.set(error.workflowId, error.cause);
    }
  }
}

interface EventRow {
  readonly name: string;
  readonly position: number;
  readonly contactId: string | null;
  readonly occurredAt: Date;
  readonly data: object;
}

interface Reader {
  readonly position: number;
  readonly names: readonly string[];
  readonly failures: number;
}

/**
 * Handles a page of events and stores the position. Returns whether more events may follow. With
 * `skips`, the page is one event, which is skipped for these workflows.
 */
async function readPage(work: Work, log: Log, skips?: Skips): Promise<boolean> {
  const { subAccountId } = work;
  const [reader] = await work.rows<Reader>(LOCK_READER, [subAccountId]);
  if (!reader) {
    return false;
  }
  const isApart = skips !== undefined;
  const page = isApart || isCareful(reader) ? 1 : PAGE;
  const values = [subAccountId, reader.position, reader.names, page, PAGE_BYTES];
  const rows = await work.rows<EventRow & { head: number; found: number }>(NEXT_EVENTS, values);
  const events = rows.filter(({ name }) => name !== null);
  if (events.length > 0) {
    const current = await lockCurrentContacts(
      work,
      events.flatMap(({ contactId }) => contactId ?? []),
    );
    const handling = { events, current, log };
    await (isApart ? handleApart(work, handling, skips) : handleAll(work, handling));
  }
  const found = rows[0]?.found ?? 0;
  const isMore = found === page || events.length < found;
  const readTo = isMore ? events.at(-1)?.position : rows[0]?.head;
  // The failing event may still follow. After a skip, the next failure is skipped at once: it is
  // probably the same mistake.
  const isOnGuard = isApart && (isMore || skips.size > 0);
  const resetTo = isOnGuard ? FAILURES_MAX : 0;
  const isUnchanged = isCareful(reader) ? isMore : events.length === 0;
  work.write(MOVE, [subAccountId, readTo ?? 0, isUnchanged ? null : resetTo]);
  return isMore;
}

interface Handling {
  readonly events: readonly EventRow[];
  readonly current: ReadonlyMap<string, string>;
  readonly log: Log;
}

async function handleAll(work: Work, { events, current, log }: Handling): Promise<void> {
  const listeners = await findListeners(work);
  await startRuns(work, await startsFor(work, events, { current, listeners }), log);
  await signalRuns(work, ofContacts(events, current));
}

/** Handles events workflow by workflow. Throws a `WorkflowFailure` that names the failing workflow. */
async function handleApart(
  work: Work,
  { events, current, log }: Handling,
  skips: Skips,
): Promise<void> {
  const all = await findListeners(work);
  const names = events.map(({ name }) => name);
  const rows = await work.rows<{ id: string }>(CONCERNED, [work.subAccountId, names]);
  for (const { id } of rows.filter((row) => !skips.has(row.id))) {
    try {
      const listeners = all.filter(({ workflowId }) => workflowId === id);
      await startRuns(work, await startsFor(work, events, { current, listeners }), log);
      await signalRuns(work, ofContacts(events, current), id);
    } catch (error) {
      throw new WorkflowFailure(id, error);
    }
  }
  for (const [workflowId, error] of skips) {
    await recordSkips(work, { workflowId, error, events, log });
  }
}

const CONCERNED = `select id from workflows where sub_account_id = $1 and (
    (active and deleted_at is null and listens_to && $2::text[])
    or id in (
      select r.workflow_id from workflow_runs r
      join workflow_versions v on v.sub_account_id = r.sub_account_id and v.id = r.version_id
      where r.sub_account_id = $1 and r.finished_at is null and v.goals && $2::text[]
    )
  ) order by id`;

const LOCK_READER = `select position, names, failures from workflow_readers where sub_account_id = $1 for update`;

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

const MOVE = `update workflow_readers set position = greatest(position, $2), failures = coalesce($3, failures)
  where sub_account_id = $1`;

/** Returns the contact of an event, or the kept one if it was merged. */
const currentOf = (
  { contactId }: Pick<EventRow, 'contactId'>,
  current: ReadonlyMap<string, string>,
): string | null => current.get(contactId ?? '') ?? contactId;

const ofContacts = (events: readonly EventRow[], current: ReadonlyMap<string, string>) =>
  events.flatMap((event) =>
    event.contactId === null ? [] : [{ ...event, contactId: currentOf(event, current) }],
  );

interface Listening {
  readonly current: ReadonlyMap<string, string>;
  readonly listeners: readonly Listener[];
}

async function startsFor(
  work: Work,
  events: readonly EventRow[],
  { current, listeners }: Listening,
): Promise<StartInput[]> {
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
