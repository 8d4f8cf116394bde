import type { Role } from '#core/role.ts';
import type { View } from '#core/work.ts';

/** A sub-account that a user can open. */
export interface MembershipRow {
  readonly subAccountId: string;
  readonly subAccountName: string;
  readonly sandbox: boolean;
  readonly timezone: string;
  readonly role: Role;
  /** The team member with the user's email address. */
  readonly memberId: string | null;
}

/** Returns the sub-accounts that a user can open, by name. */
export const findMemberships = (view: View, userId: string): Promise<MembershipRow[]> =>
  view.rows(
    `select s.id as "subAccountId", s.name as "subAccountName", s.sandbox, s.timezone,
       case when u.is_owner then 'owner' else m.role end as role,
       (select t.id from team_members t
         where t.sub_account_id = s.id and lower(t.email) = u.email order by t.id limit 1
       ) as "memberId"
     from users u
     join sub_accounts s on s.deleted_at is null
     left join memberships m on m.sub_account_id = s.id and m.user_id = u.id
     where u.id = $1 and (u.is_owner or m.role is not null)
     order by s.name, s.id`,
    [userId],
  );
