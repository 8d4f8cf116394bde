import type { PoolClient } from 'pg';
import { dropAnnouncements, passOnAnnouncements } from './cluster/relay-notices.ts';
import { LIMITS, type Database } from './database.ts';
import { beginning } from './transaction-pooling.ts';

/** A transaction that begins with the first call of `client`. */
export interface Transaction {
  client(): Promise<PoolClient>;
  /** Returns the client while the transaction is open. */
  begun(): PoolClient | undefined;
  commit(): Promise<void>;
  /** Never throws: the error that caused the rollback is the one to report. */
  rollBack(): Promise<void>;
}

export function lazyTransaction({ pool }: Pick<Database, 'pool'>): Transaction {
  let opening: Promise<PoolClient> | undefined;
  let client: PoolClient | undefined;

  const open = async () => {
    const fresh = await pool.connect();
    try {
      await fresh.query(beginning(fresh, LIMITS));
    } catch (error) {
      fresh.release(true);
      throw error;
    }
    client = fresh;
    return fresh;
  };
  const end = async (command: 'commit' | 'rollback') => {
    const ending = client;
    client = undefined;
    try {
      if (ending && command === 'commit') {
        await passOnAnnouncements(ending);
      } else if (ending) {
        dropAnnouncements(ending);
      }
      const answer = await ending?.query(command);
      ending?.release();
      return answer?.command;
    } catch (error) {
      ending?.release(true);
      throw error;
    }
  };

  return {
    client: () => (opening ??= open()),
    begun: () => client,
    async commit() {
      if ((await end('commit')) !== 'COMMIT') {
        throw new Error('PostgreSQL rolled the transaction back instead of committing it');
      }
    },
    async rollBack() {
      await opening?.catch(() => undefined);
      if (client) {
        await end('rollback').catch(() => undefined);
      }
    },
  };
}
