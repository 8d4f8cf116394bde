import type { TObject } from 'typebox';

/** The name and payload of a job: all that the code which enqueues it may know. */
export interface Job<T = any> {
  readonly name: string;
  readonly payload: TObject;
  readonly maxAttempts: number;
  /**
   * Jobs that wait for peers more than they work run beside the others, many at a time; those that
   * go on for long, a few at a time, where nothing else waits for them.
   */
  readonly lane?: 'peers' | 'bulk';
  readonly '~payload'?: T;
}
