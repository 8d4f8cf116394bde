import { isoText } from '#core/schema/columns.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { View } from '#core/work.ts';

export interface SubAccountRow {
  readonly id: string;
  readonly name: string;
  readonly locationId: string;
  readonly timezone: string;
  readonly currency: string;
  readonly sandbox: boolean;
  readonly createdAt: string;
  readonly deletedAt: string | null;
}

/** Returns every live sub-account, newest first. */
export const findSubAccounts = (view: View): Promise<SubAccountRow[]> =>
  view.rows(`${SELECT} where deleted_at is null order by created_at desc, id desc`, []);

/** Returns a sub-account, even a deleted one, or undefined for an unknown id. */
export async function findSubAccount(view: View, id: string): Promise<SubAccountRow | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const [row] = await view.rows<SubAccountRow>(`${SELECT} where id = $1`, [id]);
  return row;
}

const SELECT = `select id, name, location_id as "locationId", timezone, currency, sandbox,
    ${isoText('created_at')} as "createdAt", ${isoText('deleted_at')} as "deletedAt"
  from sub_accounts`;
