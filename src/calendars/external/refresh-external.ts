import type { PrepareContext } from '#core/endpoint/call.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { fetchCalendar } from './fetch-calendar.ts';
import { externalMembers, readSetup } from './external-setup.ts';
import { recordBusy } from './record-busy.ts';

const FRESH_MS = MINUTE_MS;
/** Somebody waits for his booking; what was known before does after that. */
const PATIENCE_MS = 4_000;

/** Asks the external calendars of some members again that were last asked a minute ago or more. */
export async function refreshExternal(
  call: PrepareContext,
  memberIds: readonly string[],
): Promise<void> {
  const { view } = call;
  const external = new Set((await externalMembers(view)).map(({ id }) => id));
  const concerned = memberIds.filter((id) => external.has(id));
  if (concerned.length === 0) {
    return;
  }
  const stale = await staleAmong(view, concerned);
  await Promise.all(stale.map((id) => fetchOnce(call, id)));
}

/** By sub-account and member, what is asked by this process at the moment. */
const asking = new Map<string, Promise<void>>();

/** All who want to know the same wait for one answer: a calendar is not asked once for each booking. */
function fetchOnce(call: PrepareContext, memberId: string): Promise<void> {
  const whose = `${call.view.subAccountId}/${memberId}`;
  const known = asking.get(whose);
  if (known) {
    return known;
  }
  const asked = ask(call, memberId).finally(() => asking.delete(whose));
  asking.set(whose, asked);
  return asked;
}

/** Looks once more whether there is need: who was asked before may have answered since. */
async function ask({ view, tools, change }: PrepareContext, memberId: string): Promise<void> {
  const { outbound, secrets } = tools;
  const isStale = (await staleAmong(view, [memberId])).length > 0;
  const setup = isStale && (await readSetup(view, secrets, memberId));
  if (!setup) {
    return;
  }
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const asked = await fetchCalendar(view, setup, { outbound, signal, timeoutMs: PATIENCE_MS });
  await change(async (work) => recordBusy(work, setup, asked));
}

async function staleAmong(view: View, memberIds: readonly string[]): Promise<string[]> {
  const since = new Date(view.now.getTime() - FRESH_MS);
  const rows = await view.rows<{ id: string }>(STALE, [view.subAccountId, memberIds, since]);
  return rows.map(({ id }) => id);
}

const STALE = `select m.id from team_members m
  left join external_busy b on b.sub_account_id = m.sub_account_id and b.member_id = m.id
  where m.sub_account_id = $1 and m.id = any($2::uuid[])
    and (b.asked_at is null or b.asked_at <= $3)`;
