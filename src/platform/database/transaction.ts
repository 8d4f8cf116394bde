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

/** `enter` resolves once a connection may be used, with what to call when it is not used any more. */
export function lazyTransaction(
  { pool }: Pick<Database, 'pool'>,
  enter: () => Promise<() => void> = async () => () => undefined,
): Transaction {
  let opening: Promise<PoolClient> | undefined;
  let client: PoolClient | undefined;
  let leave = (): void => undefined;

  const open = async () => {
    leave = await enter();
    try {
      client = await beginOn(pool);
      return client;
    } catch (error) {
      leave();
      throw error;
    }
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
    } finally {
      if (ending) {
        leave();
      }
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

async function beginOn(pool: Database['pool']): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await client.query(beginning(client, LIMITS));
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
