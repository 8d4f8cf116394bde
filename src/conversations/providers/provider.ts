import type { JobContext } from '#core/job.ts';
import type { Attachment } from '../messages/insert-message.ts';
import type { MailThread } from '../mailbox/mail-thread.ts';
import type { ChannelSetup } from '../channels/channel.store.ts';

/** A file to send. */
export interface OutgoingFile {
  readonly contentId: string;
  readonly name: string;
  readonly type: string;
  /** A signed link with which the provider fetches the content, for a day. */
  readonly url: string;
  /** For mails only. */
  readonly content?: Buffer;
}

/** A message to send. */
export interface Outgoing {
  readonly id: string;
  readonly conversationId: string;
  readonly toAddress: string | null;
  readonly subject: string | null;
  readonly bodyText: string | null;
  readonly bodyHtml: string | null;
  /** The mails before it in its thread. */
  readonly thread?: MailThread;
  /** Sent with mails only. */
  readonly attachment?: Attachment | null;
  /** The files of the conversation's participants. */
  readonly files?: readonly OutgoingFile[];
  /** Of an automatic mail: other programs do not reply to it (RFC 3834). */
  readonly autoSubmitted?: 'auto-generated' | 'auto-replied' | null;
}

/** The result of an attempt. */
export type SendResult =
  | {
      readonly result: 'taken';
      readonly externalId: string;
      /** The sender's address, if the provider chose it. */
      readonly fromAddress?: string;
      /** The provider reports later whether it sent the message. */
      readonly isUnderway?: boolean;
    }
  /** Not accepted, as far as is known: another attempt follows after a wait. */
  | (Failing & {
      readonly result: 'again';
      readonly retryAfterMs?: number | undefined;
      /** The request reached the provider, which may have acted on it: the response is missing. */
      readonly mayBeAccepted?: boolean;
      /** No attempt was made, as the sub-account used its share of connections to the provider. */
      readonly hadNoConnection?: boolean;
    })
  | (Failing & {
      readonly result: 'refused';
      /** The mailbox does not exist. */
      readonly isDeadAddress?: boolean;
      /** The provider's id of the message, if it gave it one before it failed. */
      readonly externalId?: string;
    })
  /** The provider may have accepted it: another attempt could send it twice. */
  | (Failing & { readonly result: 'unknown' });

export interface Failing {
  /** The provider's code if it has one. */
  readonly errorCode: string;
  readonly errorMessage: string;
}

export interface SendContext extends Pick<JobContext, 'tools' | 'settings' | 'signal' | 'clock'> {
  /** From 1. */
  readonly attempt: number;
  /** The base of the channel's callback URLs `/inbound` and `/status`. */
  readonly callbackUrl: string;
}

/** Sends a message, outside any transaction. Never rejects for a failure of the provider. */
export type Provider = (
  setup: ChannelSetup,
  message: Outgoing,
  context: SendContext,
) => Promise<SendResult>;
