import type { Secrets } from '#core/secrets.ts';
import { HOUR_MS, SECOND_MS } from '#lib/duration.ts';
import { signToken, verifyToken, type TokenSubject } from '#lib/signed-token.ts';

/** Providers may fetch a file late, and a visitor may leave the page open. */
const VALID_HOURS = 24;

/** Where the path of a signed link begins. */
export const LINKS_PATH = '/files/';

const keyOf = (secrets: Secrets) => secrets.derive('files');

/**
 * Returns the path of a file for a visitor or a provider, who need no key. It is valid for 24 to 25 hours:
 * within an hour it stays the same, so that browsers can cache the file.
 */
export function fileLink(secrets: Secrets, subject: TokenSubject, now: Date): string {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const expires = ((hour + VALID_HOURS + 1) * HOUR_MS) / SECOND_MS;
  return `${LINKS_PATH}${signToken(keyOf(secrets), subject, `/${expires}`)}?expires=${expires}`;
}

/** Returns the file that a link opens; undefined if it is forged or has expired. */
export function openFileLink(
  secrets: Secrets,
  token: string,
  expires: number,
  now: Date,
): TokenSubject | undefined {
  return expires * SECOND_MS > now.getTime()
    ? verifyToken(keyOf(secrets), token, `/${expires}`)
    : undefined;
}
