import type { Role } from '#core/role.ts';
import type { Database } from '#platform/database/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/duration.ts';
import { isIdInAnyCase } from '#lib/id.ts';
import type { IdentifySession, SignedIn } from '#platform/http/session.ts';
import { tokenHashOf } from './secret-token.ts';

/** A session ends after so long without a request, */
const IDLE_MS = 12 * HOUR_MS;
/** and so long after its beginning at the latest. */
const ABSOLUTE_MS = 30 * DAY_MS;
/** How exactly the last request is known. */
const SEEN_EVERY_MS = MINUTE_MS;

interface SessionRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly isOwner: boolean;
  readonly verifiedAt: Date;
  readonly lastSeenAt: Date;
  /** Null if the sub-account is unknown or deleted. */
  readonly subAccountId: string | null;
  readonly sandbox: boolean | null;
}

interface Membership {
  readonly role: Role | null;
  readonly memberId: string | null;
}

/**
 * Returns a lookup of sessions. It reads the database at every request, so that a sign-out, a changed
 * role or a disabled user takes effect at once in every process.
 */
export function identifySessions(database: Database, clock: () => Date): IdentifySession {
  return async (token, subAccount, use) => {
    const now = clock().getTime();
    const values = [
      tokenHashOf(token),
      isIdInAnyCase(subAccount) ? subAccount : null,
      new Date(now - IDLE_MS),
      new Date(now - ABSOLUTE_MS),
    ];
    const [row] = await database.rows<SessionRow>(FIND_SESSION, values);
    if (row && use === 'request' && now - row.lastSeenAt.getTime() >= SEEN_EVERY_MS) {
      await database.rows(SEEN, [row.sessionId, new Date(now)]);
    }
    const [membership] = row?.subAccountId
      ? await database.rows<Membership>(FIND_MEMBERSHIP, [row.subAccountId, row.userId, row.email])
      : [];
    return row && signedIn(row, membership);
  };
}

function signedIn(row: SessionRow, membership: Membership | undefined): SignedIn {
  const { sessionId, userId, email, name, isOwner, verifiedAt, subAccountId, sandbox } = row;
  const role = isOwner ? 'owner' : (membership?.role ?? null);
  const memberId = membership?.memberId ?? null;
  const user = { id: userId, email, name };
  return {
    sessionId,
    user,
    isOwner,
    verifiedAt,
    membership:
      subAccountId !== null && role !== null
        ? { subAccountId, sandbox: sandbox === true, role, memberId }
        : undefined,
  };
}

const FIND_SESSION = `
  select s.id as "sessionId", u.id as "userId", u.email, u.name, u.is_owner as "isOwner",
    s.verified_at as "verifiedAt", s.last_seen_at as "lastSeenAt", a.id as "subAccountId", a.sandbox
  from user_sessions s
  join users u on u.id = s.user_id and u.disabled_at is null
  left join sub_accounts a on a.id = $2::uuid and a.deleted_at is null
  where s.token_hash = $1 and s.last_seen_at > $3 and s.created_at > $4`;

/**
 * A statement of its own: in a cluster the sub-account's node has it. The member is found by the
 * user's email address: contacts and tasks are assigned to members.
 */
const FIND_MEMBERSHIP = `select (
    select role from memberships where sub_account_id = $1 and user_id = $2
  ) as role, (
    select id from team_members
    where sub_account_id = $1 and lower(email) = $3 order by id limit 1
  ) as "memberId"`;

const SEEN = 'update user_sessions set last_seen_at = $2 where id = $1 and last_seen_at < $2';
