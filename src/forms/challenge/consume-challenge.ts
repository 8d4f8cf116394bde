import { invalidField, type Fault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Work } from '#core/work.ts';
import { readSolved } from './challenge.ts';

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
