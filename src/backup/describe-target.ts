import { databaseRefusal } from '#platform/database/database-errors.ts';
import { counted } from '#lib/counted.ts';
import type { Ask } from './session.ts';

/** Returns the address of a database without its password, such as `127.0.0.1:5432/frontdesk`. */
export function databaseText(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || 'a local socket'}/${decodeURIComponent(pathname.slice(1)) || 'postgres'}`;
}

interface Contents {
  readonly subAccounts: number;
  readonly contacts: number;
  readonly name: string | null;
}

/** Returns what a database contains; undefined if it has no tables of Frontdesk. */
export async function describeContents(ask: Ask): Promise<string | undefined> {
  try {
    const [found] = await ask<Contents>(CONTENTS);
    const { subAccounts = 0, contacts = 0, name = null } = found ?? {};
    const example = name === null ? '' : ` (${subAccounts > 1 ? 'such as ' : ''}${name})`;
    return `${counted(subAccounts, 'sub-account')}${example}, ${counted(contacts, 'contact')}`;
  } catch (error) {
    if (databaseRefusal(error)?.code === NO_TABLE) {
      return undefined;
    }
    throw error;
  }
}

const NO_TABLE = '42P01';

const CONTENTS = `select
    (select count(*)::int from sub_accounts where deleted_at is null) as "subAccounts",
    (select count(*)::int from contacts c join sub_accounts s on s.id = c.sub_account_id
      where c.deleted_at is null and s.deleted_at is null) as contacts,
    (select name from sub_accounts where deleted_at is null order by id limit 1) as name`;
