import type { Static, TObject } from 'typebox';
import type { Job } from './job-type.ts';
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

export const handle = <T>(
  job: Job<T>,
  handler: JobHandler<T>['handle'],
  giveUp?: JobHandler<T>['giveUp'],
): JobHandler<T> => ({ job, handle: handler, giveUp });
