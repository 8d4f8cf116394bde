import type { SmtpOutcome } from '../../conversations/providers/smtp/outcome.ts';
import type { Wording } from '../compose/compile-mail.ts';

/** The result of sending one mail of a campaign. */
export type SendOutcome =
  | {
      readonly result: 'sent';
      /** The bridge's id of the mail; bounces refer to it. */
      readonly externalId?: string;
    }
  | (Exclude<SmtpOutcome, { readonly result: 'sent' }> & {
      readonly retryAfterMs?: number | undefined;
    });

export interface CampaignWording extends Wording {
  readonly id: string;
}
