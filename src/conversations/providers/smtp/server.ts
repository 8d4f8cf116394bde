import { isIP } from 'node:net';
import { idleCache } from '#platform/database/idle-cache.ts';
import { readAllowList } from '#platform/outbound/address-guard.ts';
import { findAddresses, systemLookup } from '#platform/outbound/find-addresses.ts';
import { notPublic, usableAddresses } from '#platform/outbound/usable-addresses.ts';
import type { ChannelSetup } from '../../channels/read-channel.ts';
import type { SmtpServer } from './connection.ts';
import { openPool, type SmtpPool } from './pool.ts';

/** A pool that is not used for this long is dropped, and the channel's password with it. */
const KEPT_MS = 600_000;

/** Why a mail server cannot be used: `again` may pass, `refused` waits for a person. */
export interface NoServer {
  readonly result: 'again' | 'refused';
  readonly errorCode: string;
  readonly errorMessage: string;
}

/**
 * Resolves the mail server that a sub-account named to an address that may be connected to, checked
 * like those of webhooks. Each further attempt takes the name's next address.
 */
export async function findMailServer(
  host: string,
  allow: readonly string[],
  attempt: number,
): Promise<{ readonly address: string } | NoServer> {
  const addresses = await findAddresses(host, systemLookup);
  if (addresses.length === 0) {
    const errorMessage = `the name ${host} does not resolve`;
    return { result: 'again', errorCode: 'EDNS', errorMessage };
  }
  const usable = usableAddresses(addresses, readAllowList(allow));
  const next = usable[(attempt - 1) % usable.length];
  return next
    ? { address: next.address }
    : { result: 'refused', errorCode: 'private_address', errorMessage: notPublic(host) };
}

/** Messages never wait behind a campaign: each has connections of its own. */
export type MailUse = 'messages' | 'campaigns';

export const CONNECTIONS: Readonly<Record<MailUse, number>> = { messages: 5, campaigns: 10 };

interface PooledServer {
  readonly version: number;
  readonly pool: SmtpPool;
}

/** By channel, address and use. */
const pools = idleCache<PooledServer>({
  forMs: KEPT_MS,
  clock: () => performance.now(),
  letGo: ({ pool }) => pool.close(),
});

/** The pool to a checked address of a channel's mail server; a new one once the channel changes. */
export function poolOf(setup: ChannelSetup, address: string, use: MailUse): SmtpPool {
  const version = setup.updatedAt.getTime();
  const { pool } = pools.use(
    `${setup.id}/${address}/${use}`,
    (known) => known.version === version,
    () => ({ version, pool: newPool(setup, address, use) }),
  );
  return pool;
}

/** A pool outside the shared ones, which its caller closes. */
export function newPool(setup: ChannelSetup, address: string, use: MailUse): SmtpPool {
  const { ratePerSecond } = setup.settings as unknown as Settings;
  return openPool(serverOf(setup, address), {
    connections: CONNECTIONS[use],
    // Campaigns pace themselves: a recipient is claimed no sooner than its mail may go.
    ratePerSecond: use === 'messages' ? ratePerSecond : null,
  });
}

function serverOf({ settings, secrets }: ChannelSetup, address: string): SmtpServer {
  const { host, port, secure, user } = settings as unknown as Settings;
  return {
    host: address,
    port,
    secure,
    // The certificate is checked for the configured name.
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    ...(user !== null && { auth: { user, pass: secrets['password'] ?? '' } }),
  };
}

/** As the manifest's section stores them. */
interface Settings {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string | null;
  readonly ratePerSecond: number | null;
}
