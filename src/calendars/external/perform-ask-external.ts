import { performs } from '#kit/job.ts';
import { askCalendar } from './ask-calendar.ts';
import { askAllExternal, askExternal } from './external.jobs.ts';
import { readSetup } from './external-setup.ts';
import { findLostHolds, loseHold } from './lost-holds.ts';
import { recordAnswer } from './record-answer.ts';

const TIMEOUT_MS = 30_000;

/** Keeps what it said before where it does not answer. */
export const performAskExternal = performs(
  askExternal,
  async ({ subAccountId, memberId }, { openView, clock, tools, transact, actor, signal }) => {
    const view = openView(subAccountId, clock());
    const setup = await readSetup(view, tools.secrets, memberId);
    if (!setup) {
      return;
    }
    const way = { outbound: tools.outbound, signal, timeoutMs: TIMEOUT_MS };
    const asked = await askCalendar(view, setup, way);
    const seen = setup.type === 'caldav' && 'holds' in asked ? asked.holds : undefined;
    const lost = seen ? await findLostHolds(view, setup, seen, way) : [];
    signal.throwIfAborted();
    await transact(subAccountId, actor, async (work) => recordAnswer(work, setup, asked));
    for (const appointmentId of lost) {
      await transact(subAccountId, actor, (work) => loseHold(work, setup, appointmentId));
    }
  },
);

export const performAskAllExternal = performs(askAllExternal, async (_, { execute }) => {
  await execute(ASK_ALL, [askExternal.name, askExternal.maxAttempts]);
});

/** One job a member: where one is still at it, no second waits behind it. */
const ASK_ALL = `select queue_jobs(
    array_agg($1::text), array_agg($1::text || ':' || m.id),
    array_agg(json_build_object('subAccountId', m.sub_account_id, 'memberId', m.id)), $2::int
  ) from team_members m join sub_accounts s on s.id = m.sub_account_id
  where m.external_calendar is not null and s.deleted_at is null`;
