import { withoutMailerPrefix } from '../../conversations/providers/smtp/outcome.ts';

/** A reply that refuses a mail: `550 5.1.1 no such user`. */
const REPLY = /^([45]\d\d)[ -](?<said>.+)$/s;

interface Failure {
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** Returns a failure as a part of a sentence: without a final full stop. Stored ones may have the mailer's prefix. */
export const failureText = (message: string): string =>
  withoutMailerPrefix(message).trim().replace(/\.$/, '');

/** Returns the code of a mail server that refused a mail, and what it said, or undefined. */
export function refusalOf({ errorCode, errorMessage }: Failure) {
  const [, code, said] = REPLY.exec(failureText(errorMessage ?? '')) ?? [];
  return code !== undefined && code === errorCode && said !== undefined
    ? { code, said }
    : undefined;
}
