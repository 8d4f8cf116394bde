import type { Environment } from '#platform/config/environment.ts';
import { requireSecretKey } from '#platform/config/installation.ts';
import type { Logger } from '#platform/config/logger.ts';
import { requireSessions } from '#platform/database/require-sessions.ts';
import { openService, type Service } from './open-service.ts';
import { requireCurrentSchema } from './require-current-schema.ts';

interface OpenCheckedServiceInput {
  readonly environment: Environment & { readonly databaseUrl: string; readonly secretKey: Buffer };
  readonly log: Logger;
  readonly name: string;
  readonly connections: number;
  readonly stays: boolean;
}

/** Opens the service on a database that is ready for it, or leaves nothing open. */
export async function openCheckedService(wanted: OpenCheckedServiceInput): Promise<Service> {
  const { environment, ...settings } = wanted;
  const { databaseUrl, databaseSessionUrl, databaseReplicaUrl, secretKey } = environment;
  const addresses = {
    databaseUrl,
    sessionUrl: databaseSessionUrl,
    replicaUrl: databaseReplicaUrl,
  };
  const clock = () => new Date();
  const service = openService({ ...settings, ...addresses, secretKey, clock, reach: environment });
  const check = async () => {
    await requireSessions(service.database);
    await requireCurrentSchema(service.database);
    await requireSecretKey(service.database, service.secrets);
  };
  try {
    await check().catch(onceMoreAfterTimeout(check));
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * Modules load while the first connection is made. On a slow machine that blocks the event loop for
 * longer than the connection may take: its timer fires before the answer, which is there, is read.
 */
const onceMoreAfterTimeout =
  (check: () => Promise<void>) =>
  (error: unknown): Promise<void> => {
    if (error instanceof Error && CONNECT_TIMEOUT.test(error.message)) {
      return check();
    }
    throw error;
  };

const CONNECT_TIMEOUT =
  /connection timeout|timeout expired|timeout exceeded when trying to connect/;
