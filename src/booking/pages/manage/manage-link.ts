import type { Secrets } from '#core/secrets.ts';
import { signToken, verifyToken } from '#lib/signed-token.ts';

/** The appointment that the bearer of a link may see, move and cancel. */
export interface Managed {
  readonly subAccountId: string;
  readonly appointmentId: string;
}

const keyOf = (secrets: Secrets) => secrets.derive('manage-links');

/** The public URL under which a customer manages their appointment without a key. */
export const manageLink = (secrets: Secrets, baseUrl: string, managed: Managed): string =>
  baseUrl.replace(/\/$/, '') + managePath(secrets, managed);

export const managePath = (secrets: Secrets, { subAccountId, appointmentId }: Managed): string =>
  `/book/manage/${signToken(keyOf(secrets), { subAccountId, id: appointmentId })}`;

/** Returns the appointment that a token opens; undefined unless this installation signed it. */
export function readManageToken(secrets: Secrets, token: string): Managed | undefined {
  const named = verifyToken(keyOf(secrets), token);
  return named && { subAccountId: named.subAccountId, appointmentId: named.id };
}
