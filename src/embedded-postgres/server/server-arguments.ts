import type { Installation } from './server.ts';

/** The system's limit for a socket's address is 108 bytes on Linux and 104 on macOS. */
const SOCKET_PATH_MAX_BYTES = 100;
const LONGEST_SOCKET_NAME = '/.s.PGSQL.65535';

/** What the postmaster is told: reachable from this machine only, by one port and one socket. */
export function serverArguments(
  { cluster, settings }: Pick<Installation, 'cluster' | 'settings'>,
  port: number,
): string[] {
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketFolder(cluster),
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    ...settings,
    port: String(port),
  };
  return [
    '-D',
    cluster,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** The data folder itself, which only the server's user can enter; none where its path is too long. */
function socketFolder(cluster: string): string {
  const isShort = Buffer.byteLength(cluster + LONGEST_SOCKET_NAME) < SOCKET_PATH_MAX_BYTES;
  // The setting is a list; quoted, a name may have commas and spaces.
  return isShort ? `"${cluster.replaceAll('"', '""')}"` : '';
}
