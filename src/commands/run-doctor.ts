import { pino } from 'pino';
import type { Outcome } from '#kit/command.ts';
import { openDatabase } from '#platform/database.ts';
import { readEnvironment } from '#platform/environment.ts';
import { withEnvironmentFile } from '#platform/environment-file.ts';
import { openOutbound } from '#platform/outbound/open-outbound.ts';
import { secretsOf } from '#platform/secrets.ts';
import { migrations } from '#registry/migrations.ts';
import type { Checked } from '../operations/doctor/check.ts';
import { examine, isFine } from '../operations/doctor/examine.ts';

const CONNECTIONS = 3;

export async function runDoctor(): Promise<Outcome> {
  const environment = readEnvironment(withEnvironmentFile(process.env), ['databaseUrl']);
  const { databaseUrl: url, secretKey, outboundAllow = [] } = environment;
  // What goes wrong is what it says.
  const log = pino({ level: 'silent' });
  const database = openDatabase({ url, connections: CONNECTIONS, name: 'frontdesk doctor', log });
  const outbound = openOutbound({ allow: outboundAllow });
  try {
    const checks = await examine({
      ...environment,
      rows: database.rows,
      outbound,
      outboundAllow,
      secrets: secretKey && secretsOf(secretKey),
      migrations,
    });
    const ok = isFine(checks);
    return { json: { ok, checks }, text: checks.map(lineOf).join('\n'), exitCode: ok ? 0 : 1 };
  } finally {
    await Promise.all([database.close(), outbound.close()]);
  }
}

const lineOf = ({ name, status, message, fix }: Checked): string =>
  `${status.padEnd(4)} ${name}: ${oneLine(message)}${fix === undefined ? '' : ` – ${fix}`}`;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
