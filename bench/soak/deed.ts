import type { Household } from './household.ts';

/** Sends and counts a request, and returns the response body. A buffer is sent as it is. */
export type Call = (
  line: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<any>;

/** One or more requests that belong together. */
export interface Deed {
  /** How often it is chosen, relative to the others. */
  readonly weight: number;
  readonly act: (call: Call, household: Household, n: number) => Promise<void>;
}

/** The newest records, which further requests use. */
export const contacts: string[] = [];
export const conversations: string[] = [];
export const sessions: string[] = [];

const KEPT = 500;

export const keep = (list: string[], id: unknown): void => {
  if (typeof id === 'string') {
    list.push(id);
    list.splice(0, Math.max(0, list.length - KEPT));
  }
};

export const any = <T>(list: readonly T[]): T | undefined =>
  list[Math.floor(Math.random() * list.length)];

export const person = (n: number) => ({ firstName: 'Ada', lastName: `Soak ${n}` });
export const email = (n: number): string => `soak.${n}.${process.pid}@example.com`;

export const DAY_MS = 24 * 3_600_000;
const DAYS_AHEAD = 50;

export const dayAhead = (): string =>
  new Date(Date.now() + (1 + Math.random() * DAYS_AHEAD) * DAY_MS).toISOString().slice(0, 10);
