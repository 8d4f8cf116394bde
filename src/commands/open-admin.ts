import { randomUUID } from 'node:crypto';
import { readEnvironment } from '#platform/config/environment.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import type { AdminContext } from './context.ts';
import { openCheckedService } from './server/open-checked-service.ts';
import { flushed, openLog } from './server/open-log.ts';
import { osUser } from './os-user.ts';

const CONNECTIONS = 4;

/** What a command of `frontdesk admin` runs with, on behalf of the person at the terminal. */
export async function openAdmin(operation: string): Promise<AdminContext> {
  const environment = readEnvironment(withEnvironmentFile(process.env), [
    'databaseUrl',
    'secretKey',
  ]);
  const log = await openLog(environment);
  const service = await openCheckedService({
    environment,
    log,
    name: `frontdesk ${operation}`,
    connections: CONNECTIONS,
    stays: false,
  });
  const requestId = randomUUID();
  return {
    ...service,
    actor: { kind: 'cli', name: osUser(), requestId, operation },
    async close() {
      await service.close();
      await flushed(log);
    },
  };
}
