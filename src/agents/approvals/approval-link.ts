import type { Secrets } from '#core/secrets.ts';
import { signToken, verifyToken, type TokenSubject } from '#lib/signed-token.ts';

const keyOf = (secrets: Secrets) => secrets.derive('approvals');

/** Returns the page of the console on which a person decides. */
export const approvalUrl = (baseUrl: string, { subAccountId, id }: TokenSubject): string =>
  `${baseUrl}/console/${subAccountId}/approvals/${id}`;

/** Returns the signed link to that page that the admins get by mail. */
export const approvalLink = (secrets: Secrets, baseUrl: string, of: TokenSubject): string =>
  `${approvalUrl(baseUrl, of)}?token=${signToken(keyOf(secrets), of)}`;

/** Returns whether a token is of a link that Frontdesk mailed for this approval. */
export function isApprovalLink(secrets: Secrets, of: TokenSubject, token: string): boolean {
  const named = verifyToken(keyOf(secrets), token);
  return named?.id === of.id && named.subAccountId === of.subAccountId;
}
