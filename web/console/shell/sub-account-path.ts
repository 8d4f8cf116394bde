import { navigate } from 'wouter/use-browser-location';
import type { Membership, Session } from '../api/console-types.ts';
import { stored } from '../ui/stored.ts';

/** Where the console lives on the server. */
export const BASE = '/console';

const lastUsed = stored('sub-account');

/** Opens the first page of a sub-account. */
export const openSubAccount = (subAccountId: string): void => navigate(`${BASE}/${subAccountId}`);

/** Opens a sub-account that the session of this page does not have yet: it loads the page again. */
export const loadSubAccount = (subAccountId: string): void =>
  location.assign(`${BASE}/${subAccountId}`);

/** Returns the membership that the path names; undefined if it names none. */
export function membershipAt(session: Session, id: string | undefined): Membership | undefined {
  const membership = session.memberships.find(({ subAccountId }) => subAccountId === id);
  if (membership !== undefined) {
    lastUsed.write(membership.subAccountId);
  }
  return membership;
}

/** Returns the membership for paths without a sub-account: the one last used, else the first. */
export const defaultMembership = ({ memberships }: Session): Membership | undefined =>
  memberships.find(({ subAccountId }) => subAccountId === lastUsed.read()) ?? memberships[0];
