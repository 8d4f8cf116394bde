import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { AGENCY, newId, timeDigits } from '#lib/id.ts';
import { signToken, verifyToken } from '#lib/signed-token.ts';

const VALID_MS = 5 * MINUTE_MS;

/** What a challenge is for: one of a sign-in does not register a passkey. */
type Purpose = 'sign-in' | 'register';

/**
 * Returns a challenge for an authenticator, in base64url. It is signed instead of stored, so that
 * visitors cannot fill a table; only used ones are stored.
 */
export const newChallenge = (secrets: Secrets, purpose: Purpose, userId: string, now: Date) =>
  signToken(secrets.derive('passkeys'), { subAccountId: userId, id: newId(now) }, purpose);

interface ChallengeInput {
  readonly secrets: Secrets;
  readonly purpose: Purpose;
  /** The user that it was made for; AGENCY before the user is known. */
  readonly userId: string;
  readonly challenge: string;
}

/** Marks a challenge as used. Throws UNAUTHORIZED if it is unknown, older than 5 minutes or used. */
export async function spendChallenge(work: Work, input: ChallengeInput): Promise<void> {
  const { secrets, purpose, userId, challenge } = input;
  const signed = verifyToken(secrets.derive('passkeys'), challenge, purpose);
  const oldest = timeDigits(new Date(work.now.getTime() - VALID_MS));
  const isFresh = signed !== undefined && signed.id.replaceAll('-', '').slice(0, 12) > oldest;
  const isOurs = isFresh && signed.subAccountId === userId;
  const expiresAt = new Date(work.now.getTime() + VALID_MS);
  const spent = isOurs ? await work.rows(SPEND, [AGENCY, signed.id, expiresAt]) : [];
  if (spent.length === 0) {
    throw new Fault('UNAUTHORIZED', 'this passkey request has expired; try again');
  }
}

const SPEND = `insert into spent_challenges (sub_account_id, id, expires_at)
  values ($1, $2, $3) on conflict do nothing returning id`;
