import type { EventType, Occurrence } from './event.ts';
import type { Work } from './work.ts';

/** Code that runs inside the transaction in which the event happened. */
export interface Reaction<T = any> {
  readonly type: EventType<T>;
  readonly react: (work: Work, occurrence: Occurrence<T>) => Promise<void>;
}

export const reactTo = <T>(type: EventType<T>, react: Reaction<T>['react']): Reaction<T> => ({
  type,
  react,
});
