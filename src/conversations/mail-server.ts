import { isIP } from 'node:net';
import { keepUsed } from '#platform/keep-used.ts';
import { openPool, type Pool } from '#platform/mailer.ts';
import { readAllowList } from '#platform/outbound/address-guard.ts';
import { findAddresses, systemLookup } from '#platform/outbound/find-addresses.ts';
import { notPublic, usableAddresses } from '#platform/outbound/usable-addresses.ts';
import type { HandedOver } from './hand-over.ts';
import type { ChannelSetup } from './read-channel.ts';

/** A connection that nothing goes over is closed. */
const IDLE_MS = 10_000;
/** Names of many addresses answer with others each time; no mail waits for its turn this long. */
const KEPT_MS = 3_600_000;

/** Why there is none; `again` may go better later. */
type NoServer = Exclude<HandedOver, { readonly result: 'taken' }>;

/**
 * The address of a mail server that a sub-account named, checked as those of webhooks are; each
 * further attempt takes the next one where the name has several.
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

interface Kept {
  readonly version: number;
  readonly pool: Promise<Pool>;
}

/** By channel and address; idle ones hold no connection. */
const pools = keepUsed<Kept>({
  forMs: KEPT_MS,
  clock: () => performance.now(),
  letGo: ({ pool }) => void pool.then((one) => one.close()),
});

/** The connections to a checked address of a channel's mail server, anew once it is set up anew. */
export function poolOf(setup: ChannelSetup, address: string): Promise<Pool> {
  const version = setup.updatedAt.getTime();
  const { pool } = pools.use(
    `${setup.id}/${address}`,
    (known) => known.version === version,
    () => ({ version, pool: openPool(serverOf(setup, address)) }),
  );
  return pool;
}

/** How to reach the mail server of a channel at a checked address. */
export function serverOf({ settings, secrets }: ChannelSetup, address: string) {
  const { host, port, secure, user, ratePerSecond } = settings as unknown as Settings;
  return {
    host: address,
    port,
    secure,
    // The certificate is checked for the name that was given.
    ...(isIP(host) === 0 && { tls: { servername: host } }),
    ...(user !== null && { auth: { user, pass: secrets['password'] ?? '' } }),
    ...(ratePerSecond !== null && { rateLimit: ratePerSecond }),
    idleTimeout: IDLE_MS,
    // A connection that breaks off in the middle is an attempt, and the next one waits its time.
    maxRequeues: 0,
  };
}

/** As the section of the manifest stores them. */
interface Settings {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly user: string | null;
  readonly ratePerSecond: number | null;
}
