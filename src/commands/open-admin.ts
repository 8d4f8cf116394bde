import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Actor } from '#core/work.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { baseUrlOf } from '#platform/config/environment.ts';
import { openCommandService, type Service } from './server/open-service.ts';
import { flushed } from './server/open-log.ts';

const CONNECTIONS = 4;

/**
 * Opens the context of a command of `frontdesk admin`. `anyKey` accepts a database of another secret key,
 * also if none is set.
 */
export async function openAdmin(operation: string, anyKey: boolean): Promise<AdminContext> {
  const { environment, log, service } = await openCommandService({
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

/** The service, and the user who runs the command. */
export interface AdminContext extends Service {
  readonly actor: Actor;
  /** The public address, for links. */
  readonly baseUrl: string;
}

/** Returns what links and requests of a command need. */
export function networkSettings() {
  const environment = processEnvironment();
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
