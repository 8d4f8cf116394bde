import { randomBytes, randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Actor } from '#core/work.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { baseUrlOf, readEnvironment, type Environment } from '#platform/config/environment.ts';
import { openCheckedService, type Service } from './server/open-service.ts';
import { KEY_BYTES } from '#platform/config/secrets.ts';
import { flushed, openLog } from './server/open-log.ts';

const CONNECTIONS = 4;

/**
 * Opens the context of a command of `frontdesk admin`. `anyKey` accepts a database of another secret key,
 * also if none is set.
 */
export async function openAdmin(operation: string, anyKey: boolean): Promise<AdminContext> {
  const source = withEnvironmentFile(process.env);
  const environment = anyKey
    ? withSomeKey(readEnvironment(source, ['databaseUrl']))
    : readEnvironment(source, ['databaseUrl', 'secretKey']);
  const log = await openLog(environment);
  const service = await openCheckedService({
    environment,
    log,
    name: `frontdesk ${operation}`,
    connections: CONNECTIONS,
    stays: false,
    anyKey,
  });
  const requestId = randomUUID();
  return {
    ...service,
    baseUrl: baseUrlOf(environment),
    actor: { kind: 'cli', name: osUser(), requestId, operation },
    async close() {
      await service.close();
      await flushed(log);
    },
  };
}

/** Such commands decrypt nothing: a random key stands in for the lost one. */
const withSomeKey = <E extends Environment>(environment: E) => ({
  ...environment,
  secretKey: environment.secretKey ?? randomBytes(KEY_BYTES),
});

/** The service, and the user who runs the command. */
export interface AdminContext extends Service {
  readonly actor: Actor;
  /** The public address, for links. */
  readonly baseUrl: string;
}

/** Returns what links and requests of a command need. */
export function networkSettings() {
  const environment = readEnvironment(withEnvironmentFile(process.env));
  return { baseUrl: baseUrlOf(environment), outboundAllow: environment.outboundAllow ?? [] };
}

/** Returns the name of the OS user, also behind sudo. A user of a container may have no name. */
export function osUser(): string {
  try {
    return process.env['SUDO_USER'] || userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
