import type { Outcome, Switches } from '#core/command.ts';
import { AGENCY } from '#lib/id.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { openProgressBar } from '#platform/cli/progress-bar.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { findSubAccount } from '../accounts/sub-accounts/find-sub-accounts.ts';
import { existing } from './admin/answers.ts';
import type { AdminContext } from './context.ts';
import { requireFile, sumOf } from './run-backup.ts';
import { version } from './version.ts';

/** Writes one sub-account, also a closed one, to a file. */
export async function exportSubAccount(
  { openView, clock, transact, actor }: AdminContext,
  { sub, file }: { readonly sub: string; readonly file: string },
  switches: Switches,
): Promise<Outcome> {
  requireFile(file);
  const found = await findSubAccount(openView(AGENCY, clock()), sub);
  const { id, name } = existing(found, 'sub-account', sub);
  const environment = readEnvironment(withEnvironmentFile(process.env), ['databaseUrl']);
  const { databaseUrl, databaseSessionUrl: url = databaseUrl } = environment;
  const bar = openProgressBar(switches);
  const written = await writeBackup({
    url,
    file,
    product: version(),
    subAccountId: id,
    onProgress: bar.update,
  }).finally(bar.clear);
  await transact(id, actor, async (work) => work.audit(id));
  const { bytes, takenAt, rows } = written;
  return {
    json: { subAccountId: id, name, ...written },
    text: `wrote ${name} to ${file}: ${sumOf(rows)} rows of ${Object.keys(rows).length} tables as of ${takenAt}, ${bytes} bytes
The file does not contain the FRONTDESK_SECRET_KEY of this installation, which decrypts its credentials.`,
  };
}
