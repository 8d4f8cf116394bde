import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { LockMode } from '@mikro-orm/core';
import { Fault, notFound } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { AGENCY, isNewerThan, newId } from '#lib/id.ts';
import { Passkey } from './passkey.entity.ts';
import { User } from '../users/user.entity.ts';
import { loadUserById } from '../users/user.store.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { signToken, verifyToken } from '#lib/signed-token.ts';

/** Loaded with the first passkey: few requests need it. */
const webauthn = () => import('@simplewebauthn/server');

/** The website that a passkey belongs to. */
interface Site {
  readonly secrets: Secrets;
  readonly baseUrl: string;
}

const originOf = ({ baseUrl }: Site): string => new URL(baseUrl).origin;
const hostOf = ({ baseUrl }: Site): string => new URL(baseUrl).hostname;
const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

/** Returns the options with which a browser asks for any passkey of this site. */
export async function signInOptions(site: Site, now: Date): Promise<object> {
  const { generateAuthenticationOptions } = await webauthn();
  const challenge = bytesOf(newChallenge(site.secrets, 'sign-in', AGENCY, now));
  return generateAuthenticationOptions({
    rpID: hostOf(site),
    challenge,
    userVerification: 'required',
  });
}

interface Registrant {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

/** Returns the options with which a browser creates a passkey for the user. */
export async function registrationOptions(
  site: Site,
  user: Registrant,
  known: readonly PasskeyRow[],
  now: Date,
): Promise<object> {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: 'Frontdesk',
    rpID: hostOf(site),
    userID: bytesOf(Buffer.from(user.id.replaceAll('-', ''), 'hex').toString('base64url')),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    challenge: bytesOf(newChallenge(site.secrets, 'register', user.id, now)),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

export interface PasskeyRow {
  readonly credentialId: string;
}

interface NewPasskey {
  readonly credential: RegistrationResponseJSON;
  readonly name: string | undefined;
  /** The session in which it is added. */
  readonly sessionId: string;
}

/**
 * Stores a new passkey of the user. Throws VALIDATION_ERROR if it was not verified, and UNAUTHORIZED if
 * the session has ended meanwhile.
 */
export async function addPasskey(
  work: Work,
  site: Site,
  user: Pick<Registrant, 'id'>,
  { credential: response, name, sessionId }: NewPasskey,
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await webauthn();
  let challenge = '';
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (given) => ((challenge = given), true),
    expectedOrigin: originOf(site),
    expectedRPID: hostOf(site),
    requireUserVerification: true,
  }).catch(refuse('VALIDATION_ERROR'));
  if (!registrationInfo?.userVerified) {
    throw new Fault('VALIDATION_ERROR', NOT_VERIFIED);
  }
  await spendChallenge(work, { ...site, purpose: 'register', userId: user.id, challenge });
  // What ends sessions and passkeys together locks the user, too.
  await loadUserById(work, user.id);
  if ((await work.rows(SESSION, [sessionId])).length === 0) {
    throw new Fault('UNAUTHORIZED', 'sign in first: this session has ended');
  }
  const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
  work.mapConstraint(
    'passkeys_credential_id_key',
    () => new Fault('VALIDATION_ERROR', 'this passkey is registered already'),
  );
  const passkey = work.em.create(Passkey, {
    id: newId(work.now),
    userId: user.id,
    credentialId,
    publicKey: Buffer.from(publicKey),
    counter,
    transports,
    name: name ?? 'Passkey',
    createdAt: work.now,
    lastUsedAt: null,
  });
  work.em.persist(passkey);
  work.audit(passkey.id);
  return passkey;
}

const SESSION = 'select from user_sessions where id = $1';

/** Returns the user of a passkey that a browser used. Throws UNAUTHORIZED. */
export async function verifyPasskey(
  work: Work,
  site: Site,
  response: AuthenticationResponseJSON,
): Promise<User> {
  const { verifyAuthenticationResponse } = await webauthn();
  const passkey = await work.em.findOne(Passkey, { credentialId: response.id });
  // What ends sessions and passkeys together locks the user, too.
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const user = passkey && (await work.em.findOne(User, { id: passkey.userId }, { lockMode }));
  const isKept = passkey && (await work.rows(KEPT, [passkey.id])).length > 0;
  if (!passkey || !isKept || !user || user.disabledAt) {
    throw new Fault('UNAUTHORIZED', 'this passkey is unknown here; sign in in another way');
  }
  let challenge = '';
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (given) => ((challenge = given), true),
    expectedOrigin: originOf(site),
    expectedRPID: hostOf(site),
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  }).catch(refuse('UNAUTHORIZED'));
  if (!verified || !authenticationInfo.userVerified) {
    throw new Fault('UNAUTHORIZED', NOT_VERIFIED);
  }
  await spendChallenge(work, { ...site, purpose: 'sign-in', userId: AGENCY, challenge });
  passkey.counter = authenticationInfo.newCounter;
  passkey.lastUsedAt = work.now;
  return user;
}

const KEPT = 'select from passkeys where id = $1';

const NOT_VERIFIED = 'the passkey did not verify its user by PIN, fingerprint or face; try again';

/** The library throws an Error for everything that does not fit. */
const refuse =
  (code: 'UNAUTHORIZED' | 'VALIDATION_ERROR') =>
  (error: unknown): never => {
    const why = error instanceof Error ? error.message : 'unknown error';
    throw new Fault(code, `the passkey was refused: ${why}`);
  };

/** Deletes a passkey of the user. Throws NOT_FOUND. */
export async function deletePasskey(work: Work, userId: string, id: string): Promise<void> {
  if ((await work.em.nativeDelete(Passkey, { id, userId })) === 0) {
    throw notFound('passkey');
  }
  work.audit(id);
}

const CHALLENGE_MS = 5 * MINUTE_MS;

/** What a challenge is for: one of a sign-in does not register a passkey. */
type Purpose = 'sign-in' | 'register';

/**
 * Returns a challenge for an authenticator, in base64url. It is signed instead of stored, so that
 * visitors cannot fill a table; only used ones are stored.
 */
const newChallenge = (secrets: Secrets, purpose: Purpose, userId: string, now: Date) =>
  signToken(secrets.derive('passkeys'), { subAccountId: userId, id: newId(now) }, purpose);

interface ChallengeInput {
  readonly secrets: Secrets;
  readonly purpose: Purpose;
  /** The user that it was made for; AGENCY before the user is known. */
  readonly userId: string;
  readonly challenge: string;
}

/** Marks a challenge as used. Throws UNAUTHORIZED if it is unknown, older than 5 minutes or used. */
async function spendChallenge(work: Work, input: ChallengeInput): Promise<void> {
  const { secrets, purpose, userId, challenge } = input;
  const signed = verifyToken(secrets.derive('passkeys'), challenge, purpose);
  const oldest = new Date(work.now.getTime() - CHALLENGE_MS);
  const isFresh = signed !== undefined && isNewerThan(signed.id, oldest);
  const isOurs = isFresh && signed.subAccountId === userId;
  const expiresAt = new Date(work.now.getTime() + CHALLENGE_MS);
  const spent = isOurs ? await work.rows(SPEND, [AGENCY, signed.id, expiresAt]) : [];
  if (spent.length === 0) {
    throw new Fault('UNAUTHORIZED', 'this passkey request has expired; try again');
  }
}

const SPEND = `insert into spent_challenges (sub_account_id, id, expires_at)
  values ($1, $2, $3) on conflict do nothing returning id`;
