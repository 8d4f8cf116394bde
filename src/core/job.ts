import type { Static, TObject } from 'typebox';
import type { Job } from './job-type.ts';
import type { Log, Settings, Tools } from './tools.ts';
import type { Actor, Transact, View } from './work.ts';

export interface JobContext {
  readonly attempt: number;
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
  /** Runs one statement outside of any sub-account. Returns the number of rows. */
  readonly execute: (text: string, values?: readonly unknown[]) => Promise<number>;
}

export interface JobHandler<T = any> {
  readonly job: Job<T>;
  readonly handle: (payload: T, context: JobContext) => Promise<void>;
}

export const defineJob = <S extends TObject>(
  job: Omit<Job<Static<S>>, 'payload'> & { readonly payload: S },
): Job<Static<S>> => job;

export const handle = <T>(job: Job<T>, handler: JobHandler<T>['handle']): JobHandler<T> => ({
  job,
  handle: handler,
});
