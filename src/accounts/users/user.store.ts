import { LockMode } from '@mikro-orm/core';
import { orNotFound } from '#core/fault.ts';
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
    usersWhere(`$1::uuid is null or u.is_owner
      or u.id in (select user_id from memberships where sub_account_id = $1)`),
    [subAccountId ?? null],
  );

export async function findUser(view: View, email: string): Promise<UserRow | undefined> {
  const [row] = await view.rows<UserRow>(BY_EMAIL, [normalEmail(email)]);
  return row;
}

export async function findUserById(view: View, id: string): Promise<UserRow | undefined> {
  const [row] = await view.rows<UserRow>(BY_ID, [id]);
  return row;
}

/** A cluster reads the memberships, which its nodes have, before it joins them with their users. */
const usersWhere = (condition: string): string => `
  with chosen as materialized (select u.* from users u where ${condition})
  select u.id, u.email, u.name, u.is_owner as "isOwner",
    case when u.disabled_at is null then 'active' else 'disabled' end as status,
    coalesce(m.memberships, '[]') as memberships, ${isoText('u.last_sign_in_at')} as "lastSignInAt"
  from chosen u
  left join (
    select m.user_id, json_agg(json_build_object('subAccountId', m.sub_account_id, 'role', m.role)
        order by m.sub_account_id) as memberships
    from memberships m join sub_accounts s on s.id = m.sub_account_id and s.deleted_at is null
    where m.user_id in (select id from chosen)
    group by m.user_id
  ) as m on m.user_id = u.id
  order by u.email`;

const BY_EMAIL = usersWhere('u.email = $1');

const BY_ID = usersWhere('u.id = $1');

/** Returns the user with this email address, locked. Throws `NOT_FOUND`. */
export const loadUser = (work: Work, email: string): Promise<User> =>
  loadWhere(work, { email: normalEmail(email) });

/** Returns the user with this id, locked. Throws `NOT_FOUND`. */
export const loadUserById = (work: Work, id: string): Promise<User> => loadWhere(work, { id });

/**
 * Locks a user and the caller who changes them, in the order of their ids. Returns the caller as of now;
 * undefined if they are disabled. Of two people who change each other, the second one sees the change
 * of the first.
 */
export async function lockWithCaller(
  { em }: Work,
  userId: string,
  callerId: string,
): Promise<User | undefined> {
  const users = await em.find(
    User,
    { id: { $in: [userId, callerId] } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  return users.find(({ id, disabledAt }) => id === callerId && disabledAt === null);
}

async function loadWhere(
  { em }: Work,
  where: { readonly email: string } | { readonly id: string },
): Promise<User> {
  return orNotFound(
    await em.findOne(User, where, { lockMode: LockMode.PESSIMISTIC_WRITE }),
    'user',
  );
}
