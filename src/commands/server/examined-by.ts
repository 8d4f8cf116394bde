import type { FileStore } from '#core/files.ts';
import type { Outbound } from '#core/outbound.ts';
import type { Secrets } from '#core/secrets.ts';
import { VARIABLES } from '#platform/config/environment.ts';
import type { Logger } from '#platform/config/logger.ts';
import type { Database } from '#platform/database/database.ts';
import { replicaTrouble } from '#platform/database/replica.ts';
import { requireSessions } from '#platform/database/require-sessions.ts';
import type { OpenView } from '#platform/database/view.ts';
import { migrations } from '#registry/migrations.ts';
import { probeSending } from '../../conversations/channels/test-connection.ts';
import { probeMailbox } from '../../conversations/mailbox/open-imap.ts';
import type { Examined } from '../../operations/doctor/check.ts';
import { dataFolder, withEnvironmentFile } from '#platform/config/environment-file.ts';
import { unknownVariables } from '#platform/config/unknown-variables.ts';

/** The settings of the environment that are checked. */
export interface ExaminedSettings {
  readonly outboundAllow?: readonly string[] | undefined;
  readonly smtpUrl?: string | undefined;
  readonly mailFrom?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly backupDir?: string | undefined;
  readonly databaseReplicaUrl?: string | undefined;
}

interface Parts {
  readonly database: Database;
  readonly outbound: Outbound;
  readonly secrets: Secrets;
  readonly openView: OpenView;
  readonly log: Logger;
  readonly network: ExaminedSettings;
  readonly files: FileStore;
}

/** Returns what the checks of a running service examine: its own connections and settings. */
export function examinedBy({
  database,
  outbound,
  secrets,
  openView,
  log,
  network,
  files,
}: Parts): Examined {
  const { outboundAllow = [], databaseReplicaUrl: url, backupDir, ...settings } = network;
  const { smtpUrl, mailFrom, baseUrl, tlsCert, tlsKey } = settings;
  return {
    rows: (text, values = []) => database.rows(text, values),
    requireSessions: () => requireSessions(database),
    replicaTrouble: async () =>
      url === undefined ? undefined : replicaTrouble({ url, primary: database, log }),
    secrets,
    outbound,
    outboundAllow,
    smtpUrl,
    mailFrom,
    baseUrl,
    tlsCert,
    tlsKey,
    nothingRuns: undefined,
    probeSending: (subAccountId) =>
      probeSending(openView(subAccountId, new Date()), { secrets, outboundAllow }),
    probeMailbox: (subAccountId) =>
      probeMailbox(openView(subAccountId, new Date()), { secrets, outboundAllow }),
    unknownVariables: unknownVariables(withEnvironmentFile(process.env)),
    folders: [dataFolder()],
    files,
    backupDir: backupDir ?? VARIABLES.backupDir.default,
    migrations,
  };
}
