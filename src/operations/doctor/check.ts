import type { Outbound } from '#core/outbound.ts';
import type { Secrets } from '#core/secrets.ts';
import type { NamedMigration } from '#platform/database/migrate/migration.ts';

/** What one check found: `fail` stops the installation from working, `warn` may. */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

export interface Checked extends Finding {
  readonly name: string;
}

export interface Examined {
  rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  /** Throws a Fault where what needs a session does not get one. */
  requireSessions(): Promise<void>;
  /** Why lists are not read from the replica; undefined where they are, or there is none. */
  replicaTrouble(): Promise<string | undefined>;
  /** None where no key is set, or a database is not asked for one. */
  readonly secrets: Secrets | undefined;
  readonly outbound: Pick<Outbound, 'send'>;
  /** CIDRs that sub-accounts may name though they are private. */
  readonly outboundAllow: readonly string[];
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly baseUrl: string | undefined;
  /** Paths of the certificate with which the server speaks HTTPS, and of its key. */
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  /** How to start the `up` that DATABASE_URL belongs to, where it does not run. */
  readonly nothingRuns: string | undefined;
  /** Opens the mailbox of a sub-account, answers why that failed; none where no key is set. */
  readonly probeMailbox: ((subAccountId: string) => Promise<string | undefined>) | undefined;
  /** Where this installation keeps files. */
  readonly folders: readonly string[];
  /** The steps of the schema that this release has. */
  readonly migrations: readonly NamedMigration[];
}

export interface Check {
  readonly name: string;
  /** What it throws is its failure. */
  readonly examine: (examined: Examined) => Promise<Finding>;
}

export const ok = (message: string): Finding => ({ status: 'ok', message });
export const warn = (message: string, fix: string): Finding => ({ status: 'warn', message, fix });
export const fail = (message: string, fix: string): Finding => ({ status: 'fail', message, fix });
