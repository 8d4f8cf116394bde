import { Fault } from '#core/fault.ts';
import type { Database } from '#platform/database/database.ts';
import { requireCurrentSchema } from './open-service.ts';

/** Load balancers give up on a check after 5 to 10 s. */
const RESPONDS_WITHIN_MS = 5_000;

/**
 * Returns a check that throws SERVICE_UNAVAILABLE if the database does not answer within 5 s or its schema is
 * not current. Checks of the same time share one query: those of a database that hangs would use all
 * connections.
 */
export function openReadiness(database: Pick<Database, 'rows'>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  return async () => {
    underWay ??= requireCurrentSchema(database).finally(() => {
      underWay = undefined;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate()), RESPONDS_WITHIN_MS);
    });
    try {
      await Promise.race([underWay, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

const tooLate = (): Fault =>
  new Fault('SERVICE_UNAVAILABLE', 'the database did not answer within 5 s');
