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

/** A sub-account that a user can open. */
interface MembershipRow {
  readonly subAccountId: string;
  readonly subAccountName: string;
  readonly sandbox: boolean;
  readonly timezone: string;
  readonly role: Role;
  /** The team member with the user's email address. */
  readonly memberId: string | null;
}

/**
 * Returns the sub-accounts that a user can open, by name. A cluster reads what its nodes have before it
 * joins that with the tables that every node has.
 */
export const findMemberships = (view: View, userId: string): Promise<MembershipRow[]> =>
  view.rows(
    `with own as materialized (
       select m.sub_account_id as id, m.role from memberships m where m.user_id = $1
     ), opened as materialized (
       select s.id, s.name, s.sandbox, s.timezone, u.email,
         case when u.is_owner then 'owner' else own.role end as role
       from users u
       join sub_accounts s on s.deleted_at is null
       left join own on own.id = s.id
       where u.id = $1 and (u.is_owner or own.role is not null)
     ), members as (
       select t.sub_account_id, min(t.id::text)::uuid as id from team_members t
       where t.sub_account_id in (select id from opened)
         and lower(t.email) in (select email from opened)
       group by t.sub_account_id
     )
     select o.id as "subAccountId", o.name as "subAccountName", o.sandbox, o.timezone, o.role,
       members.id as "memberId"
     from opened o left join members on members.sub_account_id = o.id
     order by o.name, o.id`,
    [userId],
  );
