import type { FileStore } from './files.ts';
import type { OpenId } from './open-id.ts';
import type { Outbound } from './outbound.ts';
import type { Secrets } from './secrets.ts';

/** Access to the world outside the database, for endpoints, jobs and commands; never inside a Work. */
export interface Tools {
  readonly secrets: Secrets;
  readonly outbound: Outbound;
  /** CIDRs of private networks that sub-accounts may use. */
  readonly outboundAllow: readonly string[];
  readonly mailer: Mailer;
  readonly openId: OpenId;
  readonly notifications: Notifications;
  readonly files: FileStore;
  /** Runs the checks of `frontdesk doctor`. */
  readonly examine: () => Promise<readonly Examination[]>;
}

/** The result of a check of the installation. */
interface Examination {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What the operator can do. */
  readonly fix?: string;
}

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Sends mail from the installation to the admins of a sub-account. */
export interface Mailer {
  /** Whether the installation has a mail server. */
  readonly isSetUp: boolean;
  /**
   * Rejects if the mail server did not accept the mail; the caller may try again. Resolves with `logged`
   * if the installation has no mail server.
   */
  send(mail: Mail): Promise<'sent' | 'logged'>;
  close(): Promise<void>;
}

/** Log lines of jobs. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** Settings of the environment; durations are in milliseconds. */
export interface Settings {
  /** The public address, without a slash at its end, for links and webhooks of providers. */
  readonly baseUrl: string;
  /** Waits before the second and later attempts to deliver a webhook. */
  readonly webhookRetries: readonly number[];
  readonly webhookTimeout: number;
  /** Waits before the second and later attempts to send a message. */
  readonly sendRetries: readonly number[];
  /** CIDRs of private networks that sub-accounts may use. */
  readonly outboundAllow: readonly string[] | undefined;
}

/**
 * Wakes the readers of a topic in every process: at once if the notification arrives, within seconds
 * if it is lost. A wake-up means that there may be news; it does not carry them.
 */
export interface Notifications {
  /** Returns a function that stops watching. */
  watch(topic: string, wake: () => void): () => void;
}
