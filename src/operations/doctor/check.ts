import type { FileStore } from '#core/files.ts';
import type { Outbound } from '#core/outbound.ts';
import type { Secrets } from '#core/secrets.ts';
import type { NamedMigration } from '#platform/database/migrate/migration.ts';

/** The result of a check. `fail`: the installation does not work. `warn`: it may not. */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What the operator can do. */
  readonly fix?: string;
}

export interface Checked extends Finding {
  readonly name: string;
}

export interface Examined {
  rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Throws a Fault if DATABASE_SESSION_URL does not lead to real sessions. */
  requireSessions(): Promise<void>;
  /** Returns why lists are not read from the replica; undefined if they are, or without a replica. */
  replicaTrouble(): Promise<string | undefined>;
  /** Undefined if no secret key is set. */
  readonly secrets: Secrets | undefined;
  readonly outbound: Pick<Outbound, 'send'>;
  /** Private CIDRs that outbound requests may reach. */
  readonly outboundAllow: readonly string[];
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly baseUrl: string | undefined;
  /** Paths of the certificate with which the server speaks HTTPS, and of its key. */
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  /** How to start the database if DATABASE_URL belongs to a `frontdesk up` that does not run. */
  readonly nothingRuns: string | undefined;
  /** Logs in to the mail server of a sub-account. Returns why that failed. Undefined without a secret key. */
  readonly probeSending: ((subAccountId: string) => Promise<string | undefined>) | undefined;
  /** Opens the mailbox of a sub-account. Returns why that failed. Undefined without a secret key. */
  readonly probeMailbox: ((subAccountId: string) => Promise<string | undefined>) | undefined;
  /** A text for each variable that begins with FRONTDESK_ and is unknown. */
  readonly unknownVariables: readonly string[];
  /** The folders in which this installation stores files. */
  readonly folders: readonly string[];
  /** Where files of conversations are stored. */
  readonly files: FileStore;
  /** The folder of scheduled backups. */
  readonly backupDir: string;
  /** The migrations of this release. */
  readonly migrations: readonly NamedMigration[];
}

export interface Check {
  readonly name: string;
  /** An error that it throws is reported as `fail`. */
  readonly examine: (examined: Examined) => Promise<Finding>;
}

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const warn = (message: string, fix: string): Finding => ({ status: 'warn', message, fix });
export const fail = (message: string, fix: string): Finding => ({ status: 'fail', message, fix });
