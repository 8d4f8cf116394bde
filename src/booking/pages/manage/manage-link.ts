import type { JobContext } from '#core/job.ts';
import type { Secrets } from '#core/secrets.ts';
import { signToken, verifyToken } from '#lib/signed-token.ts';

/** The appointment that a link shows, moves and cancels. */
export interface Managed {
  readonly subAccountId: string;
  readonly appointmentId: string;
}

const keyOf = (secrets: Secrets) => secrets.derive('manage-links');

/** Returns the public URL where the customer manages an appointment without a key. */
export const manageLink = (secrets: Secrets, baseUrl: string, managed: Managed): string =>
  baseUrl + managePath(secrets, managed);

export const managePath = (secrets: Secrets, { subAccountId, appointmentId }: Managed): string =>
  `/book/manage/${signToken(keyOf(secrets), { subAccountId, id: appointmentId })}`;

/** Returns the appointment that a token opens; undefined unless this installation signed it. */
export function readManageToken(secrets: Secrets, token: string): Managed | undefined {
  const named = verifyToken(keyOf(secrets), token);
  return named && { subAccountId: named.subAccountId, appointmentId: named.id };
}

/** Returns the URL for a job that writes to the customer. */
export const linkTo = (
  { tools, settings }: Pick<JobContext, 'tools' | 'settings'>,
  managed: Managed,
): string => manageLink(tools.secrets, settings.baseUrl, managed);
