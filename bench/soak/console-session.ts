import { request } from 'undici';
import type { Household } from './household.ts';

/** A household whose owner uses the console. */
export interface SignedIn {
  readonly household: Household;
  /** The cookie of the owner's session. */
  readonly cookie: string;
}

/** Signs the owner in. */
export async function signIn(url: string, household: Household): Promise<SignedIn> {
  const { statusCode, headers, body } = await request(`${url}/console/api/sign-in/link`, {
    method: 'POST',
    headers: { ...SAME_ORIGIN, 'content-type': 'application/json' },
    body: JSON.stringify({ token: household.signInToken }),
  });
  const text = await body.text();
  const [cookie] = [headers['set-cookie']].flat();
  if (statusCode !== 200 || !cookie) {
    throw new Error(`the owner cannot sign in: ${statusCode} ${text}`);
  }
  return { household, cookie: cookie.split(';')[0] ?? '' };
}

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** What a page of the console sends. */
export const consoleHeaders = ({ subAccountId }: Household, cookie: string) => ({
  ...SAME_ORIGIN,
  cookie,
  'x-sub-account-id': subAccountId,
});
