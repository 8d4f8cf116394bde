import { replicaTrouble } from '#platform/database/replica.ts';
import { probeMailbox } from '../conversations/mailbox/open-imap.ts';
import { openOutbound } from '#platform/outbound/client.ts';
import { dirname } from 'node:path';
import { pino } from 'pino';
import { defineCommand, type Outcome } from '#core/command.ts';
import { statusMark } from '#platform/cli/status-mark.ts';
import {
  nothingRuns,
  runningUp,
  upFolderOf,
  withEnvironmentFile,
} from '#platform/config/environment-file.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { openDatabase } from '#platform/database/database.ts';
import { requireSessions } from '#platform/database/require-sessions.ts';
import { viewer } from '#platform/database/view.ts';
import { noChanges } from '#platform/notify/changes.ts';
import { migrations } from '#registry/migrations.ts';
import type { Checked } from '../operations/doctor/check.ts';
import { examine, isFine } from '../operations/doctor/examine.ts';

export const doctor = defineCommand()({
  path: 'doctor',
  summary: 'Check the installation and print how to fix problems; exit 1 on a failure',
  options: {},
  examples: ['frontdesk doctor', 'frontdesk doctor --json'],
  context: 'none',
  async run() {
    return runDoctor();
  },
});

const CONNECTIONS = 3;

async function runDoctor(): Promise<Outcome> {
  const environment = readEnvironment(withEnvironmentFile(process.env), ['databaseUrl']);
  const { databaseReplicaUrl: replicaUrl } = environment;
  const { databaseUrl: url, databaseSessionUrl, secretKey, outboundAllow = [] } = environment;
  // The checks report problems themselves.
  const log = pino({ level: 'silent' });
  const database = openDatabase({
    url,
    sessionUrl: databaseSessionUrl,
    connections: CONNECTIONS,
    name: 'frontdesk doctor',
    log,
  });
  const outbound = openOutbound({ allow: outboundAllow });
  const secrets = secretKey && secretsOf(secretKey);
  const openView = viewer(database, noChanges);
  try {
    const checks = await examine({
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
      probeMailbox:
        secrets &&
        ((subAccountId) =>
          probeMailbox(openView(subAccountId, new Date()), { secrets, outboundAllow })),
      folders: [dataFolder()],
      nothingRuns: await nothingRunsHere(),
      migrations,
    });
    const ok = isFine(checks);
    return { json: { ok, checks }, text: checks.map(lineOf).join('\n'), exitCode: ok ? 0 : 1 };
  } finally {
    await Promise.all([database.close(), outbound.close()]);
  }
}

async function nothingRunsHere(): Promise<string | undefined> {
  const folder = upFolderOf(process.env);
  return folder !== undefined && !(await runningUp(folder)) ? nothingRuns(folder) : undefined;
}

/** The data folder of `frontdesk up` contains its environment file. */
const dataFolder = (): string => dirname(process.env['FRONTDESK_ENV_FILE'] ?? 'package.json');

const lineOf = ({ name, status, message, fix }: Checked): string =>
  `${statusMark(status)} ${name}: ${oneLine(message)}${fix === undefined ? '' : ` – ${fix}`}`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
