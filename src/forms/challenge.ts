import { invalidField, type Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { createChallenge, randomInt, type Challenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { Type, type Static } from 'typebox';
import { issuesOf } from '#core/schema/check.ts';
import { MINUTE_MS } from '#lib/duration.ts';

/**
 * Consumes the challenge that a token solves: each counts once. Throws `captcha_failed` for a missing
 * or wrong token, and for a challenge of another form.
 */
export async function consumeChallenge(
  work: Work,
  secrets: Secrets,
  { token, formId }: { readonly token: string | null | undefined; readonly formId: string },
): Promise<void> {
  const solved = await verifyChallenge(secrets, { token, formId }, work.now);
  // A challenge for any form counts once across all sub-accounts.
  const owner = solved.formId === undefined ? AGENCY : work.subAccountId;
  work.write(SPEND, [owner, solved.id, solved.expiresAt]);
  work.mapConstraint('spent_challenges_pkey', () =>
    failed('was already used; request another challenge'),
  );
}

/** Returns the challenge that a token solves, whether or not it was used. Throws `captcha_failed`. */
export async function verifyChallenge(
  secrets: Secrets,
  { token, formId }: { readonly token: string | null | undefined; readonly formId: string },
  now: Date,
): Promise<Solved> {
  if (!token) {
    throw failed('is required');
  }
  const solved = await readSolved(secrets, token, now);
  if (!solved || (solved.formId ?? formId) !== formId) {
    throw failed(
      'must be a solved challenge of this form that has not expired; request another one',
    );
  }
  return solved;
}

const SPEND = 'insert into spent_challenges (sub_account_id, id, expires_at) values ($1, $2, $3)';

const failed = (message: string): Fault =>
  invalidField('/captchaToken', message, { reason: 'captcha_failed' });

/** Solving takes about one second on a phone; checking takes one millisecond on the server. */
const ALGORITHM = 'PBKDF2/SHA-256';
const COST = 1_000;
const TRIES_MIN = 300;
const TRIES_MAX = 900;

/** Long enough to fill in a long form. */
const VALID_MS = 30 * MINUTE_MS;

const hex = (pattern: string) => Type.String({ pattern });

/** The members of a token that are used. The others are covered by the signature or ignored. */
const solved = Type.Object({
  challenge: Type.Object({
    parameters: Type.Object({
      nonce: hex('^[0-9a-f]{32}$'),
      expiresAt: Type.Integer({ minimum: 1 }),
      data: Type.Optional(Type.Object({ formId: Type.Optional(Type.String()) })),
    }),
    signature: hex('^[0-9a-f]{64}$'),
  }),
  solution: Type.Object({
    counter: Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 }),
    derivedKey: hex('^[0-9a-f]{64}$'),
  }),
});

interface Solved {
  readonly id: string;
  readonly expiresAt: Date;
  /** The form that the challenge was issued for; undefined for any form. */
  readonly formId: string | undefined;
}

/** Returns a signed proof-of-work challenge: the server stores nothing until it is solved. */
export async function newChallenge(
  secrets: Secrets,
  now: Date,
  formId?: string,
): Promise<Challenge> {
  return createChallenge({
    algorithm: ALGORITHM,
    cost: COST,
    counter: randomInt(TRIES_MAX, TRIES_MIN),
    deriveKey,
    expiresAt: new Date(now.getTime() + VALID_MS),
    ...(formId !== undefined && { data: { formId } }),
    ...signing(secrets),
  });
}

/** Returns the challenge that an untrusted token solves, or undefined. */
async function readSolved(secrets: Secrets, token: string, now: Date): Promise<Solved | undefined> {
  const untrusted = parsed(token);
  if (untrusted === undefined || issuesOf(solved, untrusted).length > 0) {
    return undefined;
  }
  const { challenge, solution } = untrusted as Static<typeof solved>;
  // The signature is verified before anything else is used.
  const { verified } = await verifySolution({
    challenge: challenge as unknown as Challenge,
    solution,
    deriveKey,
    ...signing(secrets),
  });
  const { nonce, expiresAt, data } = challenge.parameters;
  const expiry = new Date(expiresAt * 1_000);
  return verified && expiry > now
    ? { id: nonce, expiresAt: expiry, formId: data?.formId }
    : undefined;
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString());
  } catch {
    return undefined;
  }
}

const signing = (secrets: Secrets) => ({
  hmacSignatureSecret: secretFor(secrets, 'forms: challenges'),
  hmacKeySignatureSecret: secretFor(secrets, 'forms: solutions'),
});

const secretFor = (secrets: Secrets, purpose: string): string =>
  secrets.derive(purpose).export().toString('hex');
