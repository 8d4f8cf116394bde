import type { Outcome } from '#core/command.ts';
import { AGENCY } from '#lib/id.ts';
import { notClosed, purgeSubAccount } from '../backup/sub-account/purge-sub-account.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { writeOfAudit } from '#platform/database/work/event-and-audit-rows.ts';
import { findSubAccount, type SubAccountRow } from '../accounts/sub-accounts/find-sub-accounts.ts';
import { existing } from './admin/answers.ts';
import type { AdminContext } from './context.ts';

/** Returns a sub-account that was deleted. Throws a Fault where it is live or does not exist. */
export async function closedSubAccount(
  { openView, clock }: AdminContext,
  sub: string,
): Promise<SubAccountRow> {
  const row = existing(await findSubAccount(openView(AGENCY, clock()), sub), 'sub-account', sub);
  if (!row.deletedAt) {
    throw notClosed(row.id);
  }
  return row;
}

/** Erases a deleted sub-account; the agency's audit log records it. */
export async function purgeClosed(context: AdminContext, sub: string): Promise<Outcome> {
  const { clock, actor } = context;
  const environment = readEnvironment(withEnvironmentFile(process.env), ['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl } = environment;
  const row = await closedSubAccount(context, sub);
  const audit = writeOfAudit({ subAccountId: AGENCY, now: clock(), actor }, row.id);
  await purgeSubAccount(url, row.id, audit);
  return {
    json: { ...row, purged: true },
    text: `erased ${row.name} (${row.id}) and all its data`,
  };
}
