import type { JobContext } from '#core/job.ts';
import type { Attachment } from '../messages/insert-message.ts';
import type { MailThread } from '../mailbox/mail-thread.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';

/** What goes to a provider. */
export interface Outgoing {
  readonly id: string;
  readonly conversationId: string;
  readonly toAddress: string | null;
  readonly subject: string | null;
  readonly bodyText: string | null;
  readonly bodyHtml: string | null;
  /** Of a mail: those before it in its thread. */
  readonly thread?: MailThread;
  /** For mails alone. */
  readonly attachment?: Attachment | null;
  /** Nobody wrote it: programs that answer mails leave it alone (RFC 3834). */
  readonly isAutomatic?: true;
}

/** The result of an attempt. */
export type SendResult =
  | {
      readonly result: 'taken';
      readonly externalId: string;
      /** The address that the provider sent it from, where it chose one. */
      readonly fromAddress?: string;
      /** The provider reports later whether it sent the message. */
      readonly isUnderway?: boolean;
    }
  /** Not accepted as far as is known; tried again after the next wait. */
  | (Failing & {
      readonly result: 'again';
      readonly retryAfterMs?: number | undefined;
      /** The request reached the provider, which may have acted on it: its answer is missing. */
      readonly mayBeAccepted?: boolean;
    })
  | (Failing & {
      readonly result: 'refused';
      /** The mailbox does not exist. */
      readonly isDeadAddress?: boolean;
    })
  /** The provider may have accepted it, and another attempt could send it twice. */
  | (Failing & { readonly result: 'unknown' });

export interface Failing {
  /** The provider's own where it gave one. */
  readonly errorCode: string;
  readonly errorMessage: string;
}

export interface SendContext extends Pick<JobContext, 'tools' | 'settings' | 'signal' | 'clock'> {
  /** From 1. */
  readonly attempt: number;
  /** Where the provider of the channel reaches us: `/inbound` and `/status` lie below. */
  readonly callbackUrl: string;
}

/** A provider, spoken to outside any transaction. Never rejects for what the other side does. */
export type Provider = (
  setup: ChannelSetup,
  message: Outgoing,
  context: SendContext,
) => Promise<SendResult>;
