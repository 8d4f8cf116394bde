import type { Secrets } from '#core/secrets.ts';
import { Fault } from '#core/fault.ts';
import { secretKeyPlace } from './environment-file.ts';
import { databaseRefusal } from '../database/database-errors.ts';
import type { Database } from '../database/database.ts';

type Rows = Pick<Database, 'rows'>;

const PLACE = 'installation/key_check';
const SEALED = 'frontdesk';
const UNDEFINED_TABLE = '42P01';

/** Throws a Fault unless this database was sealed with this key. */
export async function requireSecretKey(database: Database, secrets: Secrets): Promise<void> {
  if (!(await knowsKey(database, secrets))) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      'the database is not bound to a FRONTDESK_SECRET_KEY yet: run frontdesk migrate',
    );
  }
}

/** Throws a Fault if this database was sealed with another key; it may be empty or have none yet. */
export async function refuseWrongKey(database: Rows, secrets: Secrets): Promise<void> {
  await knowsKey(database, secrets);
}

/** Binds the first key to this database. Throws a Fault for any other key. */
export async function adoptSecretKey(database: Database, secrets: Secrets): Promise<void> {
  await database.rows(
    'insert into installation (key_check) values ($1) on conflict (id) do nothing',
    [secrets.seal(SEALED, PLACE)],
  );
  await requireSecretKey(database, secrets);
}

/** Returns false if no key is bound yet. Throws a Fault if another key is. */
async function knowsKey(database: Rows, secrets: Secrets): Promise<boolean> {
  const sealed = await sealedCheck(database);
  if (!sealed) {
    return false;
  }
  if (!isKeyOf(sealed, secrets)) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `FRONTDESK_SECRET_KEY is not the key of this database: it came from ${secretKeyPlace(process.env)}; set the key that was used when the database was first migrated`,
    );
  }
  return true;
}

/** Returns whether this database was sealed with this key, or has none yet. */
export async function hasKey(database: Rows, secrets: Secrets): Promise<boolean> {
  const sealed = await sealedCheck(database);
  return !sealed || isKeyOf(sealed, secrets);
}

/** Returns whether this value was sealed with these secrets. */
export function isKeyOf(sealed: Buffer, secrets: Secrets): boolean {
  try {
    secrets.open(sealed, PLACE);
    return true;
  } catch {
    return false;
  }
}

async function sealedCheck(database: Rows): Promise<Buffer | undefined> {
  try {
    const [row] = await database.rows<{ sealed: Buffer }>(
      'select key_check as sealed from installation',
    );
    return row?.sealed;
  } catch (error) {
    if (databaseRefusal(error)?.code === UNDEFINED_TABLE) {
      return undefined;
    }
    throw error;
  }
}
