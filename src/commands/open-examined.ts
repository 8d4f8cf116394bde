import { replicaTrouble } from '#platform/database/replica.ts';
import { probeSending } from '../conversations/channels/test-connection.ts';
import { probeMailbox } from '../conversations/mailbox/open-imap.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { pino } from 'pino';
import {
  nothingRuns,
  runningUp,
  upFolderOf,
  withEnvironmentFile,
  dataFolder,
} from '#platform/config/environment-file.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { unknownVariables } from '#platform/config/unknown-variables.ts';
import { openFileStore } from '#platform/files/storage/file-store.ts';
import { openDatabase } from '#platform/database/database.ts';
import { requireSessions } from '#platform/database/require-sessions.ts';
import { viewer } from '#platform/database/view.ts';
import { noChanges } from '#platform/notify/changes.ts';
import { migrations } from '#registry/migrations.ts';
import type { Examined } from '../operations/doctor/check.ts';

const CONNECTIONS = 3;

/** Opens what checks examine, and closes it after `use`. The command is named in PostgreSQL's activity. */
export async function withExamined<R>(
  command: string,
  use: (examined: Examined) => Promise<R>,
): Promise<R> {
  const source = withEnvironmentFile(process.env);
  const environment = readEnvironment(source, ['databaseUrl']);
  const { databaseReplicaUrl: replicaUrl } = environment;
  const { databaseUrl: url, databaseSessionUrl, secretKey, outboundAllow = [] } = environment;
  // The checks report problems themselves.
  const log = pino({ level: 'silent' });
  const database = openDatabase({
    url,
    sessionUrl: databaseSessionUrl,
    connections: CONNECTIONS,
    name: command,
    log,
  });
  const outbound = openOutbound({ allow: outboundAllow });
  const secrets = secretKey && secretsOf(secretKey);
  const openView = viewer(database, noChanges);
  try {
    return await use({
      ...environment,
      rows: database.rows,
      requireSessions: () => requireSessions(database),
      replicaTrouble: async () =>
        replicaUrl === undefined
          ? undefined
          : replicaTrouble({ url: replicaUrl, primary: database, log }),
      outbound,
      outboundAllow,
      secrets,
      probeSending:
        secrets &&
        ((subAccountId) =>
          probeSending(openView(subAccountId, new Date()), { secrets, outboundAllow })),
      probeMailbox:
        secrets &&
        ((subAccountId) =>
          probeMailbox(openView(subAccountId, new Date()), { secrets, outboundAllow })),
      files: openFileStore(environment, log),
      unknownVariables: unknownVariables(source),
      folders: [dataFolder()],
      nothingRuns: await nothingRunsHere(),
      migrations,
    });
  } finally {
    await Promise.all([database.close(), outbound.close()]);
  }
}

async function nothingRunsHere(): Promise<string | undefined> {
  const folder = upFolderOf(process.env);
  return folder !== undefined && !(await runningUp(folder)) ? nothingRuns(folder) : undefined;
}
