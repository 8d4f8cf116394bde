import type { Database } from '#platform/database/database.ts';
import type { Logger } from '#platform/config/logger.ts';

const WRITE_EVERY_MS = 5_000;

/** Collects when keys were last used and stores it every 5 seconds, for all keys at once. */
export interface KeyUse {
  note(keyId: string, atMs: number): void;
  close(): Promise<void>;
}

export function openKeyUse(database: Database, log: Logger): KeyUse {
  let used = new Map<string, number>();
  const write = async () => {
    if (used.size === 0) {
      return;
    }
    const noted = used;
    used = new Map();
    const times = [...noted.values()].map((ms) => new Date(ms));
    await database
      .rows(WRITE_USE, [[...noted.keys()], times])
      .catch((error: unknown) => log.debug({ err: error }, 'the last use of keys was not written'));
  };
  const timer = setInterval(() => void write(), WRITE_EVERY_MS).unref();
  return {
    note: (keyId, atMs) => void used.set(keyId, atMs),
    async close() {
      clearInterval(timer);
      await write();
    },
  };
}

/** Ordered, so that servers that store the same keys do not deadlock. */
const WRITE_USE = `
  update api_keys k set last_used_at = greatest(k.last_used_at, used.at)
  from (
    select held.id, noted.at
    from unnest($1::uuid[], $2::timestamptz[]) as noted (id, at)
    join api_keys held on held.id = noted.id
    order by held.id for no key update of held
  ) as used
  where k.id = used.id`;
