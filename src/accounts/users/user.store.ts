import { LockMode } from '@mikro-orm/core';
import { notFound } from '#core/fault.ts';
import type { MemberRole } from '#core/role.ts';
import { isoText } from '#core/schema/columns.ts';
import type { View, Work } from '#core/work.ts';
import { User } from './user.entity.ts';

/** A user as lists show it. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly status: 'active' | 'disabled';
  readonly isOwner: boolean;
  readonly memberships: readonly { readonly subAccountId: string; readonly role: MemberRole }[];
  readonly lastSignInAt: string | null;
}

/** An email address as users are stored and found by it. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Returns the users with access to a sub-account, or all, by email address. */
export const findUsers = (view: View, subAccountId?: string): Promise<UserRow[]> =>
  view.rows(
    `${SELECT} where $1::uuid is null or u.is_owner or exists (
       select from memberships one where one.user_id = u.id and one.sub_account_id = $1)
     order by u.email`,
    [subAccountId ?? null],
  );

export async function findUser(view: View, email: string): Promise<UserRow | undefined> {
  const [row] = await view.rows<UserRow>(`${SELECT} where u.email = $1`, [normalEmail(email)]);
  return row;
}

export async function findUserById(view: View, id: string): Promise<UserRow | undefined> {
  const [row] = await view.rows<UserRow>(`${SELECT} where u.id = $1`, [id]);
  return row;
}

const SELECT = `select u.id, u.email, u.name, u.is_owner as "isOwner",
    case when u.disabled_at is null then 'active' else 'disabled' end as status,
    (select coalesce(json_agg(json_build_object('subAccountId', m.sub_account_id, 'role', m.role)
        order by m.sub_account_id), '[]')
      from memberships m join sub_accounts s on s.id = m.sub_account_id and s.deleted_at is null
      where m.user_id = u.id) as memberships,
    ${isoText('u.last_sign_in_at')} as "lastSignInAt"
  from users u`;

/** Returns the user with this email address, locked. Throws `NOT_FOUND`. */
export const loadUser = (work: Work, email: string): Promise<User> =>
  loadWhere(work, { email: normalEmail(email) });

/** Returns the user with this id, locked. Throws `NOT_FOUND`. */
export const loadUserById = (work: Work, id: string): Promise<User> => loadWhere(work, { id });

async function loadWhere(
  { em }: Work,
  where: { readonly email: string } | { readonly id: string },
): Promise<User> {
  const user = await em.findOne(User, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!user) {
    throw notFound('user');
  }
  return user;
}
