import type { Static, TObject } from 'typebox';

/** A fact about a sub-account's data: its contact, and the fields of its catalog entry. */
export interface Occurrence<T> {
  readonly contactId: string | null;
  /** The tags of the contact at that moment, if the slice knows them. */
  readonly tags?: readonly string[];
  readonly data: T;
}

/** `webhook: true` marks events that subscribers can choose; others stay inside the process. */
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

/** Emitted to other slices in the same transaction, never to subscribers. */
export const internalEvent = <S extends TObject>(declared: Declared<S>): EventType<Static<S>> => ({
  ...declared,
  webhook: false,
});
