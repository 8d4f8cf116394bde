import type { Beforehand } from '#kit/beforehand.ts';
import { askCalendar } from './ask-calendar.ts';
import { externalMembers, readSetup } from './external-setup.ts';
import { recordAnswer } from './record-answer.ts';

const FRESH_MS = 60_000;
/** Somebody waits for his booking; what was known before does after that. */
const PATIENCE_MS = 4_000;

/** Asks the external calendars of some members again that were last asked a minute ago or more. */
export async function refreshExternal(
  { view, tools, change }: Beforehand,
  memberIds: readonly string[],
): Promise<void> {
  const external = new Set((await externalMembers(view)).map(({ id }) => id));
  const concerned = memberIds.filter((id) => external.has(id));
  if (concerned.length === 0) {
    return;
  }
  const since = new Date(view.now.getTime() - FRESH_MS);
  const stale = await view.rows<{ id: string }>(STALE, [view.subAccountId, concerned, since]);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { outbound, secrets } = tools;
  const way = { outbound, signal, timeoutMs: PATIENCE_MS };
  await Promise.all(
    stale.map(async ({ id }) => {
      const setup = await readSetup(view, secrets, id);
      if (setup) {
        const asked = await askCalendar(view, setup, way);
        await change(async (work) => recordAnswer(work, setup, asked));
      }
    }),
  );
}

const STALE = `select m.id from team_members m
  left join external_busy b on b.sub_account_id = m.sub_account_id and b.member_id = m.id
  where m.sub_account_id = $1 and m.id = any($2::uuid[])
    and (b.asked_at is null or b.asked_at <= $3)`;
