import type { TObject } from 'typebox';

/** The name and payload of a job: all that code needs to enqueue it. */
export interface Job<T = any> {
  readonly name: string;
  readonly payload: TObject;
  readonly maxAttempts: number;
  /** The values of the payload that make its key (`keyOf`). Jobs without it have no keys. */
  readonly keyFrom?: readonly (keyof T & string)[];
  /**
   * `peers`: jobs that mostly wait for other servers, many at a time. `files`: jobs that keep a whole
   * file of another server in memory, a few at a time. `bulk`: long jobs that work in time slices, a few
   * at a time, so that no other job waits for them. `mail`: campaign mails, whose jobs mostly wait for
   * mail servers. `imports`: imports and changes of many contacts.
   */
  readonly lane?: 'peers' | 'files' | 'bulk' | 'mail' | 'imports';
  /**
   * The job looks for whatever is there to do. Queued for later, it never delays one with its key that is
   * queued for earlier: that one was queued for something new.
   */
  readonly isWakeUp?: boolean;
  readonly '~payload'?: T;
}

/** A queued job is replaced by another one with its key. */
export type JobKey = string & { readonly '~key': true };
