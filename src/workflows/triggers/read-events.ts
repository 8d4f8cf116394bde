import { handle, type JobContext } from '#core/job.ts';
import type { Log } from '#core/tools.ts';
import type { View, Work } from '#core/work.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { isInterruption } from '#platform/queue/give-up.ts';
import { lockCurrentContacts } from '../../contacts/contact.store.ts';
import { handleAll, handleApart, type EventRow } from './handle-events.ts';
import { WorkflowFailure, type Skips } from './skip-events.ts';
import { queueReading, readEvents } from '../runs/workflows.jobs.ts';

const PAGE = 200;
/** Limits the memory for a page: events of public forms may have up to 1 MB each. */
const PAGE_BYTES = 8_000_000;

/** Unexpected errors in a row after which events are read one by one: about 90 seconds. */
const FAILURES_MAX = 5;

/** The length of a time slice; then jobs of other sub-accounts get the place. */
const SLICE_MS = 3 * SECOND_MS;

/** `busy`: another job reads a page of this reader, or a change of its workflows is under way. */
type PageResult = 'more' | 'last' | 'busy';

/**
 * Starts and continues runs for the events of a sub-account, for one time slice. Each event counts once.
 * An event that fails again and again is skipped for the workflow that it fails for.
 */
export const handleReadEvents = handle(
  readEvents,
  async ({ subAccountId }, context) => {
    const { transact, actor, signal, clock, openView } = context;
    const until = clock().getTime() + SLICE_MS;
    for (;;) {
      signal.throwIfAborted();
      const result = await readNext(context, subAccountId);
      const isRead = result === 'last' && !(await hasUnread(openView(subAccountId, clock())));
      if (isRead || result === 'busy') {
        return;
      }
      if (clock().getTime() >= until) {
        return transact(subAccountId, actor, async (work) => queueReading(work));
      }
    }
  },
  continueAfterDeaths,
);

/**
 * Returns whether events follow those that were read. Their job may have ended while the last page was
 * being read: it found the reader busy.
 */
async function hasUnread(view: View): Promise<boolean> {
  const { subAccountId } = view;
  const [reader] = await view.rows<Reader>(FIND_READER, [subAccountId]);
  const values = reader && [subAccountId, reader.position, reader.names];
  return values !== undefined && (await view.rows(NEXT_EVENT, values)).length > 0;
}

const NEXT_EVENT = 'select 1 from next_events($1, $2, $3, 1)';

/** Reads the next page, or one event alone once several attempts have failed. */
async function readNext(context: JobContext, subAccountId: string): Promise<PageResult> {
  const { transact, actor, log } = context;
  try {
    return await transact(subAccountId, actor, (work) => readPage(work, log));
  } catch (error) {
    if (isInterruption(error, context)) {
      throw error;
    }
    const failures = await transact(subAccountId, actor, (work) => countFailure(work));
    if (failures < FAILURES_MAX) {
      throw error;
    }
    return readOneEvent(context, subAccountId);
  }
}

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
    queueReading(work);
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
 * in one transaction, which is repeated without the failing workflow.
 */
async function readOneEvent(context: JobContext, subAccountId: string): Promise<PageResult> {
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

interface Reader {
  readonly position: number;
  readonly names: readonly string[];
  readonly failures: number;
}

/**
 * Handles a page of events and stores the position. With `skips`, the page is one event, which is
 * skipped for these workflows.
 */
async function readPage(work: Work, log: Log, skips?: Skips): Promise<PageResult> {
  const { subAccountId } = work;
  const [reader] = await work.rows<Reader>(LOCK_FREE_READER, [subAccountId]);
  if (!reader) {
    return queueIfBusy(work);
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
  return isMore ? 'more' : 'last';
}

/** How long a job that finds its reader busy waits in the queue, where it takes no place of a lane. */
const BUSY_MS = SECOND_MS;

/**
 * Queues a job for later if the reader exists: another transaction has locked it then. If the job that
 * reads fails, no other one would read the events of this one.
 */
async function queueIfBusy(work: Work): Promise<PageResult> {
  const [reader] = await work.rows(FIND_READER, [work.subAccountId]);
  if (!reader) {
    return 'last';
  }
  queueReading(work, { waitMs: BUSY_MS });
  return 'busy';
}

const FIND_READER = `select position, names, failures from workflow_readers
  where sub_account_id = $1`;
const LOCK_READER = `${FIND_READER} for update`;
const LOCK_FREE_READER = `${LOCK_READER} skip locked`;

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
