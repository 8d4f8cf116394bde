import type { Static, TObject } from 'typebox';
import type { Job, JobKey } from './job-type.ts';
import type { Log, Settings, Tools } from './tools.ts';
import type { Actor, Transact, View } from './work.ts';

/** Runs changes on temporary copies of tables. Nothing reacts to their events. */
export interface DryRun {
  readonly transact: Transact;
  close(): Promise<void>;
}

export interface JobContext {
  readonly attempt: number;
  readonly queuedAt: Date;
  readonly signal: AbortSignal;
  /** The job, as the audit trail names it. */
  readonly actor: Actor;
  readonly clock: () => Date;
  readonly tools: Tools;
  readonly settings: Settings;
  readonly log: Log;
  readonly openView: (subAccountId: string, now: Date) => View;
  /** Runs a transaction. Make network calls between transactions, never inside one. */
  readonly transact: Transact;
  /** Opens a dry run on the temporary tables that these statements create; it must be closed. */
  readonly openDryRun: (tables: readonly string[]) => DryRun;
  /** Runs one statement outside of any sub-account. Returns the number of rows. */
  readonly execute: (text: string, values?: readonly unknown[]) => Promise<number>;
}

export interface JobHandler<T = any> {
  readonly job: Job<T>;
  readonly handle: (payload: T, context: JobContext) => Promise<void>;
  /**
   * Records the end of the job's work, instead of `handle`, once several workers in a row have ended
   * while they ran the job. It must not touch what may have ended them.
   */
  readonly giveUp?: ((payload: T, context: JobContext) => Promise<void>) | undefined;
}

export const defineJob = <S extends TObject>(
  job: Omit<Job<Static<S>>, 'payload'> & { readonly payload: S },
): Job<Static<S>> => job;

/**
 * Returns the key of a job: its name, the values of its payload that `keyFrom` lists, and `detail`, which
 * tells jobs with the same values apart. Keys that SQL builds have the same form. Throws an Error if the
 * job has no keys.
 */
export function keyOf<T extends object>(
  { name, keyFrom }: Job<T>,
  payload: T,
  detail?: string,
): JobKey {
  if (!keyFrom) {
    throw new Error(`${name}: a job without keyFrom has no keys`);
  }
  const values = keyFrom.map((property) => String(payload[property]));
  return [name, ...values, ...(detail === undefined ? [] : [detail])].join(':') as JobKey;
}

export const handle = <T>(
  job: Job<T>,
  handler: JobHandler<T>['handle'],
  giveUp?: JobHandler<T>['giveUp'],
): JobHandler<T> => ({ job, handle: handler, giveUp });
