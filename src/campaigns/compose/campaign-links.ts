import type { Secrets } from '#core/secrets.ts';
import { signToken, verifyToken, type TokenSubject } from '#lib/signed-token.ts';

/** A kind of link. A token of one kind is invalid for the others. */
export interface LinkKind {
  readonly purpose: string;
  /** The path before the token. */
  readonly path: string;
}

/** The link in a mail to the preferences of its recipient. */
export const UNSUBSCRIBE: LinkKind = { purpose: 'unsubscribe-links', path: '/u/' };

/** The link to the preview of a campaign. */
export const PREVIEW: LinkKind = { purpose: 'campaign-previews', path: '/campaigns/preview/' };

/** The link to a mail that a sandbox captured. */
export const CAPTURED: LinkKind = { purpose: 'captured-mails', path: '/outbox/' };

/** Returns a function that makes links of a kind. The key is derived once for all of them. */
export function linksOf({ purpose, path }: LinkKind, secrets: Secrets, baseUrl: string) {
  const key = secrets.derive(purpose);
  const base = baseUrl + path;
  return (subject: TokenSubject): string => base + signToken(key, subject);
}

/** Returns the subject of a token; undefined unless this installation signed it for this kind. */
export const readLinkToken = (
  { purpose }: LinkKind,
  secrets: Secrets,
  token: string,
): TokenSubject | undefined => verifyToken(secrets.derive(purpose), token);
