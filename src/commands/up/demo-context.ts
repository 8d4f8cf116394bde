import type { Actor, Transact, View, Work } from '#core/work.ts';

/** Ids of the applied manifest, by section and key. */
type Ids = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface DemoContext {
  readonly transact: Transact;
  /** Opens a view as of a time. */
  readonly viewAt: (now: Date) => View;
  readonly subAccountId: string;
  readonly actor: Actor;
  readonly ids: Ids;
  readonly now: Date;
}

/** One use case per transaction, as through the API. */
export type Run = <R>(change: (work: Work) => Promise<R>) => Promise<R>;

export interface Contact {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
}

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Returns a record by its position; the list starts again after its end. */
export function at<T>(rows: readonly T[], index: number): T {
  const row = rows[index % rows.length];
  if (row === undefined) {
    throw new Error(`the demo has no record ${index}`);
  }
  return row;
}
