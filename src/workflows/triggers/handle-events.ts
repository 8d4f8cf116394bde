import type { Log } from '#core/tools.ts';
import type { Work } from '#core/work.ts';
import { fits } from '../definition/conditions.ts';
import { findCauses } from '../runs/effects.ts';
import { findListeners, triggersAt, type Listener } from './listeners.ts';
import { signalRuns } from './signal-runs.ts';
import { recordSkips, WorkflowFailure, type Skips } from './skip-events.ts';
import { startRuns, type StartInput } from './start-runs.ts';

export interface EventRow {
  readonly name: string;
  readonly position: number;
  readonly contactId: string | null;
  readonly occurredAt: Date;
  readonly data: object;
}

interface Handling {
  readonly events: readonly EventRow[];
  readonly current: ReadonlyMap<string, string>;
  readonly log: Log;
}

/** Starts and continues runs for a page of events. */
export async function handleAll(work: Work, { events, current, log }: Handling): Promise<void> {
  const listeners = await findListeners(work);
  await startRuns(work, await startsFor(work, events, { current, listeners }), log);
  await signalRuns(work, ofContacts(events, current));
}

/** Handles events workflow by workflow. Throws a `WorkflowFailure` that names the failing workflow. */
export async function handleApart(
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
    (active and deleted_at is null and (listens_to && $2::text[] or former_triggers <> '[]'))
    or id in (
      select r.workflow_id from workflow_runs r
      join workflow_versions v on v.sub_account_id = r.sub_account_id and v.id = r.version_id
      where r.sub_account_id = $1 and r.finished_at is null and v.goals && $2::text[]
    )
  ) order by id`;

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
  const causeOf = await findCauses(work, events);
  return events.flatMap((event) => {
    const { name, contactId, position, data } = event;
    return listeners
      .filter(
        (listener) =>
          position > listener.sincePosition &&
          triggersAt(listener, position).some(
            ({ on, where }) => on === name && fits(where, { contactId, ...data }),
          ),
      )
      .map(({ workflowId, slug, versionId, reenter }) => ({
        workflowId,
        slug,
        versionId,
        reenter,
        contactId: currentOf(event, current),
        data,
        trigger: name,
        sincePosition: position,
        ...causeOf(event),
      }));
  });
}
