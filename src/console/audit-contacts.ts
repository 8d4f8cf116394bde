import { UUID } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import type { AuditRow } from '../accounts/audit/find-audit.ts';

/** The contact that a change was made to. */
interface AuditedContact {
  readonly name: string;
  readonly isDeleted: boolean;
}

type NamedRow = AuditRow & { readonly contact: AuditedContact | null };

/** Adds the contact to the rows whose record is one, deleted or not. */
export async function withContacts(view: View, rows: readonly AuditRow[]): Promise<NamedRow[]> {
  const ids = new Set(rows.map(({ recordId }) => recordId).filter((id) => IS_ID.test(id)));
  const found =
    ids.size === 0
      ? []
      : await view.rows<AuditedContact & { id: string }>(FIND, [view.subAccountId, [...ids]]);
  const contacts = new Map(found.map(({ id, name, isDeleted }) => [id, { name, isDeleted }]));
  return rows.map((row) => ({ ...row, contact: contacts.get(row.recordId) ?? null }));
}

const IS_ID = new RegExp(`^${UUID}$`);

const FIND = `select * from (
    select id, deleted_at is not null as "isDeleted",
      coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), email, phone) as name
    from contacts where sub_account_id = $1 and id = any($2::uuid[])
  ) as named where name is not null`;
