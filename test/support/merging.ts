import { Client } from 'pg';
import { WAITING_FOR_ME } from './locks.ts';
import type { TestService } from './service.ts';

/** A merge that has written everything and is not committed. */
export interface Merging {
  /** Waits until another session waits for it. */
  isWaitedFor(): Promise<boolean>;
  end(): Promise<void>;
}

/** Performs the statements of a merge and keeps their transaction open. */
export async function merging(
  { databaseUrl }: TestService,
  statements: readonly (readonly [string, readonly unknown[]])[],
): Promise<Merging> {
  const merger = new Client({ connectionString: databaseUrl });
  await merger.connect();
  await merger.query('begin');
  for (const [text, values] of statements) {
    await merger.query(text, [...values]);
  }
  return {
    async isWaitedFor() {
      const { rows } = await merger.query(WAITING_FOR_ME);
      return rows.length > 0;
    },
    async end() {
      await merger.query('commit');
      await merger.end();
    },
  };
}
