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
 * Counts the challenge that a token solves, which no submission can do again. Throws `captcha_failed`
 * where it proves nothing, or proves it for another form.
 */
export async function consumeChallenge(
  work: Work,
  secrets: Secrets,
  { token, formId }: { readonly token: string | null | undefined; readonly formId: string },
): Promise<void> {
  if (!token) {
    throw failed('is required');
  }
  const solved = await readSolved(secrets, token, work.now);
  if (!solved || (solved.formId ?? formId) !== formId) {
    throw failed('is no solved challenge of this form, or one that has expired');
  }
  // One for any form counts once for all of them, whoever's they are.
  const countsFor = solved.formId === undefined ? AGENCY : work.subAccountId;
  work.write(SPEND, [countsFor, solved.id, solved.expiresAt]);
  work.mapConstraint('spent_challenges_pkey', () => failed('was used already'));
}

const SPEND = 'insert into spent_challenges (sub_account_id, id, expires_at) values ($1, $2, $3)';

const failed = (message: string): Fault =>
  invalidField('/captchaToken', message, { reason: 'captcha_failed' });

/** About a second's work for a phone, and a millisecond of ours. */
const ALGORITHM = 'PBKDF2/SHA-256';
const COST = 1_000;
const TRIES_MIN = 300;
const TRIES_MAX = 900;

/** A person may take his time over a form. */
const VALID_MS = 30 * MINUTE_MS;

const hex = (pattern: string) => Type.String({ pattern });

/** What is used of a token; the rest is under the signature, or nothing to us. */
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

/** A challenge that was solved, to be counted once. */
interface Solved {
  readonly id: string;
  readonly expiresAt: Date;
  /** The form that it was made for. */
  readonly formId: string | undefined;
}

/** A proof of work to be asked for, signed, so that nothing needs to be kept of it. */
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

/** What a token proves, which anybody may have made up; undefined where that is nothing. */
async function readSolved(secrets: Secrets, token: string, now: Date): Promise<Solved | undefined> {
  const given = parsed(token);
  if (given === undefined || issuesOf(solved, given).length > 0) {
    return undefined;
  }
  const { challenge, solution } = given as Static<typeof solved>;
  // The signature is looked at before any of the rest is used.
  const { verified } = await verifySolution({
    challenge: challenge as unknown as Challenge,
    solution,
    deriveKey,
    ...signing(secrets),
  });
  const { nonce, expiresAt, data } = challenge.parameters;
  const ends = new Date(expiresAt * 1_000);
  return verified && ends > now ? { id: nonce, expiresAt: ends, formId: data?.formId } : undefined;
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
