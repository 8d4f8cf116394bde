import type { Mailer } from './mail.ts';
import type { Outbound } from './outbound.ts';
import type { Secrets } from './secrets.ts';
import type { Notifications } from './notifications.ts';

/** What reaches beyond the database: for endpoints, jobs and commands, never for a Work. */
export interface Tools {
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  readonly mailer: Mailer;
  readonly notifications: Notifications;
}
