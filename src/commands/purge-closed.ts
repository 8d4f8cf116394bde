import type { Outcome } from '#kit/command.ts';
import { AGENCY } from '#kit/id.ts';
import { purgeSubAccount } from '#platform/backup/purge-sub-account.ts';
import { readEnvironment } from '#platform/environment.ts';
import { withEnvironmentFile } from '#platform/environment-file.ts';
import { writeOfAudit } from '#platform/ledger.ts';
import { findSubAccount } from '../accounts/find-sub-accounts.ts';
import { existing } from './admin/answers.ts';
import type { AdminContext } from './context.ts';

/** Removes a closed sub-account for good; the agency's audit trail keeps that it was done. */
export async function purgeClosed(
  { openView, clock, actor }: AdminContext,
  sub: string,
): Promise<Outcome> {
  const environment = readEnvironment(withEnvironmentFile(process.env), ['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl } = environment;
  const found = await findSubAccount(openView(AGENCY, clock()), sub);
  const row = existing(found, 'sub-account', sub);
  const audit = writeOfAudit({ subAccountId: AGENCY, now: clock(), actor }, row.id);
  await purgeSubAccount(url, row.id, audit);
  return {
    json: { ...row, purged: true },
    text: `removed ${row.name} (${row.id}) with everything that belonged to it`,
  };
}
