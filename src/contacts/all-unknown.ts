import type { View } from '#core/work.ts';
import { keysOf } from './import/find-import-targets.ts';
import type { ContactRow } from './import/parse-contact-row.ts';

/**
 * Whether rows are about nobody whom another one of them, or the sub-account, knows: then no two of
 * them can be about the same contact, and it does not matter which is written first.
 */
export async function allUnknown(view: View, rows: readonly ContactRow[]): Promise<boolean> {
  const keys = rows.flatMap(keysOf);
  const isNamed = rows.some(({ id }) => id !== undefined);
  if (isNamed || new Set(keys).size < keys.length) {
    return false;
  }
  const known = await view.rows(KNOWN, [view.subAccountId, keys]);
  return known.length === 0;
}

const KNOWN = `select from contact_emails
  where sub_account_id = $1 and email = any($2::text[]) limit 1`;
