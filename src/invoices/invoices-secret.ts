import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';

/** The context to which the secret is sealed. */
export const invoicesPlace = (id: string): string => `invoice_settings/${id}/secret`;

/** Returns the signing secret, or undefined without one or if the sub-account is deleted. */
export async function invoicesSecret(view: View, secrets: Secrets): Promise<string | undefined> {
  const [row] = await view.rows<{ id: string; sealed: Buffer }>(SECRET, [view.subAccountId]);
  return row && secrets.open(row.sealed, invoicesPlace(row.id));
}

const SECRET = `select s.id, s.secret as sealed
  from invoice_settings s join sub_accounts a on a.id = s.sub_account_id
  where s.sub_account_id = $1 and a.deleted_at is null`;
