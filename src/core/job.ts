import type { Static, TObject } from 'typebox';
import type { Job } from './job-type.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import type { Tools } from './tools.ts';
import type { Actor, Transact, View } from './work.ts';

export interface JobContext {
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** The job itself, as the audit trail names it. */
  readonly actor: Actor;
  readonly clock: () => Date;
  readonly tools: Tools;
  readonly settings: Settings;
  readonly log: Log;
  readonly openView: (subAccountId: string, now: Date) => View;
  /** Opens a transaction. Keep it off the network: read, close, call out, open another. */
  readonly transact: Transact;
  /** A statement on its own, outside any sub-account: housekeeping. */
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
