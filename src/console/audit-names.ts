import { isId } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import type { AuditRow } from '../accounts/audit/find-audit.ts';

/** The contact that a change was made to. */
interface AuditedContact {
  readonly name: string;
  readonly isDeleted: boolean;
}

interface NamedRow extends AuditRow {
  readonly contact: AuditedContact | null;
  /** The name or title of other records. */
  readonly recordName: string | null;
}

/** Adds the contact to the rows whose record is one, and the names of other records, deleted or not. */
export async function withNames(view: View, rows: readonly AuditRow[]): Promise<NamedRow[]> {
  const ids = new Set(rows.map(({ recordId }) => recordId).filter((id) => isId(id)));
  const find = <T extends object>(text: string) =>
    ids.size === 0 ? [] : view.rows<T & { id: string }>(text, [view.subAccountId, [...ids]]);
  const found = await find<AuditedContact>(CONTACTS);
  const contacts = new Map(found.map(({ id, name, isDeleted }) => [id, { name, isDeleted }]));
  const others = await find<{ name: string }>(RECORDS);
  const names = new Map(others.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...row,
    contact: contacts.get(row.recordId) ?? null,
    recordName: names.get(row.recordId) ?? null,
  }));
}

const CONTACTS = `select * from (
    select id, deleted_at is not null as "isDeleted",
      coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), email, phone) as name
    from contacts where sub_account_id = $1 and id = any($2::uuid[])
  ) as named where name is not null`;

const RECORDS = [
  ['appointments', 'title'],
  ['campaigns', 'name'],
  ['opportunities', 'name'],
  ['tasks', 'title'],
]
  .map(
    ([table, name]) =>
      `select id, ${name} as name from ${table} where sub_account_id = $1 and id = any($2::uuid[])`,
  )
  .join(' union all ');
