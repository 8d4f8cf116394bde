import { Fault } from '#core/fault.ts';

/** Returns a Fault of the embedded PostgreSQL. */
export const refuse = (message: string): Fault =>
  new Fault('SERVICE_UNAVAILABLE', `embedded PostgreSQL: ${message}`);

export const SET_DATABASE_URL = 'set DATABASE_URL to a PostgreSQL of your own';

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The error code of a failed system call, as in ENOENT. */
export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
