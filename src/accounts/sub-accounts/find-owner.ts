import { FORMATS } from '#core/schema/formats.ts';
import type { View } from '#core/work.ts';

/** Tables of records that commands name by id alone, each with the condition that record `r` exists. */
const EXISTS = {
  appointments: 'true',
  contacts: 'r.deleted_at is null',
  forms: 'r.deleted_at is null',
  opportunities: 'r.deleted_at is null',
  workflow_runs: 'true',
} as const;

/** Returns the live sub-account that a record belongs to, wherever in the installation it is. */
export async function findOwner(
  view: View,
  table: keyof typeof EXISTS,
  id: string,
): Promise<string | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const [owner] = await view.rows<{ id: string }>(ownerIn(table), [id]);
  return owner?.id;
}

const ownerIn = (table: keyof typeof EXISTS): string => `select a.id
  from sub_accounts a join ${table} r on r.sub_account_id = a.id
  where a.deleted_at is null and ${EXISTS[table]} and r.id = $1`;
