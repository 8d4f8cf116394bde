import { pino } from 'pino';
import { openDatabase } from '#platform/database/database.ts';
import { adoptSecretKey } from '#platform/config/installation.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import type { Variables } from './frontdesk.ts';

/**
 * Binds a migrated database to the key of an installation, as `frontdesk migrate` does after the
 * migrations, without the start of a process.
 */
export async function bindKey({
  DATABASE_URL: url = '',
  FRONTDESK_SECRET_KEY: key = '',
}: Variables): Promise<void> {
  const log = pino({ level: 'silent' });
  const database = openDatabase({ url, connections: 1, name: 'frontdesk test', log });
  await adoptSecretKey(database, secretsOf(Buffer.from(key, 'base64')));
  await database.close();
}
