import type { Role } from '#core/role.ts';
import type { View } from '#core/work.ts';

/** A user with access to the sub-account. */
export interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
}

/** Returns the members of the view's sub-account by email address, owners included. */
export const findMembers = (view: View): Promise<MemberRow[]> =>
  view.rows(`${SELECT} order by u.email`, [view.subAccountId]);

export async function findMember(view: View, userId: string): Promise<MemberRow | undefined> {
  const [row] = await view.rows<MemberRow>(`${SELECT} and u.id = $2`, [view.subAccountId, userId]);
  return row;
}

const SELECT = `select u.id, u.email, u.name,
    case when u.is_owner then 'owner' else m.role end as role
  from users u left join memberships m on m.user_id = u.id and m.sub_account_id = $1
  where (u.is_owner or m.role is not null)`;
