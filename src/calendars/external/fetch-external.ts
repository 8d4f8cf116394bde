import { handle } from '#core/job.ts';
import { fetchCalendar } from './fetch-calendar.ts';
import { fetchAllExternal, fetchExternal } from './external.jobs.ts';
import { readSetup } from './external-setup.ts';
import { findLostEvents, reportLostEvent } from './lost-events.ts';
import { recordBusy } from './record-busy.ts';

const TIMEOUT_MS = 30_000;

/** Keeps what it said before where it does not answer. */
export const handleFetchExternal = handle(
  fetchExternal,
  async ({ subAccountId, memberId }, { openView, clock, tools, transact, actor, signal }) => {
    const view = openView(subAccountId, clock());
    const setup = await readSetup(view, tools.secrets, memberId);
    if (!setup) {
      return;
    }
    const way = { outbound: tools.outbound, signal, timeoutMs: TIMEOUT_MS };
    const asked = await fetchCalendar(view, setup, way);
    const seen = setup.type === 'caldav' && 'holds' in asked ? asked.holds : undefined;
    const lost = seen ? await findLostEvents(view, setup, seen, way) : [];
    signal.throwIfAborted();
    await transact(subAccountId, actor, async (work) => recordBusy(work, setup, asked));
    for (const appointmentId of lost) {
      await transact(subAccountId, actor, (work) => reportLostEvent(work, setup, appointmentId));
    }
  },
);

export const handleFetchAllExternal = handle(fetchAllExternal, async (_, { execute }) => {
  await execute(ASK_ALL, [fetchExternal.name, fetchExternal.maxAttempts]);
});

/** One job a member: where one is still at it, no second waits behind it. */
const ASK_ALL = `select queue_jobs(
    array_agg($1::text), array_agg($1::text || ':' || m.id),
    array_agg(json_build_object('subAccountId', m.sub_account_id, 'memberId', m.id)), $2::int
  ) from team_members m join sub_accounts s on s.id = m.sub_account_id
  where m.external_calendar is not null and s.deleted_at is null`;
