import type { Static, TObject } from 'typebox';

/** A fact about a sub-account's data: whom it concerns and the fields its catalog entry promises. */
export interface Occurrence<T> {
  readonly contactId: string | null;
  /** Of the contact at that moment; left out where the slice does not hold the contact. */
  readonly tags?: readonly string[];
  readonly data: T;
}

/** `webhook: true` marks the names a subscriber may choose; the others stay inside the process. */
export interface EventType<T = any> {
  readonly name: string;
  readonly webhook: boolean;
  readonly summary: string;
  readonly data: TObject;
  readonly '~data'?: T;
}

type Declared<S extends TObject> = Omit<EventType<Static<S>>, 'webhook' | 'data'> & {
  readonly data: S;
};

/** One of the 26 names of the catalog (spec "Events"). */
export const webhookEvent = <S extends TObject>(declared: Declared<S>): EventType<Static<S>> => ({
  ...declared,
  webhook: true,
});

/** Announced to other slices in the same transaction, never to a subscriber. */
export const internalEvent = <S extends TObject>(declared: Declared<S>): EventType<Static<S>> => ({
  ...declared,
  webhook: false,
});
