import type { Secrets } from '#core/secrets.ts';
import { signToken, verifyToken, type TokenSubject } from '#lib/signed-token.ts';

const keyOf = (secrets: Secrets) => secrets.derive('waiting-links');

/** Returns the page of a place in the waiting list, which only that person gets. */
export const waitingPath = (secrets: Secrets, place: TokenSubject): string =>
  `/book/wait/${signToken(keyOf(secrets), place)}`;

/** The same as a whole address, for mails. */
export const waitingLink = (secrets: Secrets, baseUrl: string, place: TokenSubject): string =>
  baseUrl + waitingPath(secrets, place);

/** Returns the place that a token opens; undefined unless this installation signed it. */
export const readWaitingToken = (secrets: Secrets, token: string): TokenSubject | undefined =>
  verifyToken(keyOf(secrets), token);
