import { AGENCY } from '#lib/id.ts';
import type { Role } from '#core/role.ts';
import { inviteUser } from '../../src/accounts/users/invite-user.ts';
import { OPERATOR, type Answer, type CallOptions, type TestService } from './service.ts';

/** A browser in which a user is signed in. */
export interface Browser {
  readonly email: string;
  /** The value of the `Cookie` header. */
  readonly cookie: string;
  /** Calls as the pages of the console do; names the service's sub-account unless told otherwise. */
  call(line: string, options?: CallOptions): Promise<Answer>;
}

/** What the console's own pages send with every change. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** Returns the token of a new sign-in link of a user with that role. */
export async function inviteAs(
  { transact, subAccountId }: TestService,
  role: Role,
  email = `${role}-${crypto.randomUUID()}@example.com`,
): Promise<{ readonly token: string; readonly email: string; readonly userId: string }> {
  const { token, user } = await transact(
    role === 'owner' ? AGENCY : subAccountId,
    OPERATOR,
    (work) => inviteUser(work, { email, role }),
  );
  return { token, email, userId: user.id };
}

/** Returns the cookie that a response sets, as the browser sends it back. */
export const cookieOf = ({ headers }: Answer): string =>
  headers.get('set-cookie')?.split(';')[0] ?? '';

/** Signs a new user in, in the sub-account of the service. */
export async function signInAs(service: TestService, role: Role, email?: string): Promise<Browser> {
  const invited = await inviteAs(service, role, email);
  const answer = await service.call('POST /console/api/sign-in/link', {
    key: null,
    headers: SAME_ORIGIN,
    body: { token: invited.token },
  });
  return browserOf(service, invited.email, cookieOf(answer));
}

export function browserOf(service: TestService, email: string, cookie: string): Browser {
  const { subAccountId, call } = service;
  return {
    email,
    cookie,
    call: (line, options = {}) =>
      call(line, {
        ...options,
        key: null,
        headers: { ...SAME_ORIGIN, cookie, 'x-sub-account-id': subAccountId, ...options.headers },
      }),
  };
}

/** Makes the sign-in of a user older than what a recent one is. */
export const signedInLongAgo = ({ database }: TestService, email: string): Promise<unknown> =>
  database.rows(
    `update user_sessions set verified_at = now() - interval '11 minutes'
     where user_id = (select id from users where email = $1)`,
    [email],
  );
