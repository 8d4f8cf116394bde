import type { Work } from '#core/work.ts';
import { normalised } from '../../contacts/addresses.ts';
import type { Channel } from '../../contacts/channels.ts';

/** What a provider calls a message. */
export const externalName = (channel: Channel, externalId: string): string =>
  JSON.stringify(['external', channel, externalId]);

/** Whoever writes from an address: one contact, also where he writes by several channels at once. */
export const senderName = (address: string): string =>
  JSON.stringify(['sender', normalised(address)]);

/**
 * Holds names of which no row may exist yet against other works of the sub-account, in one order, so
 * that two of them never wait for each other.
 */
export async function lockNames(work: Work, names: readonly string[]): Promise<void> {
  await work.rows(LOCK_NAMES, [names.map((name) => `${work.subAccountId} ${name}`).sort()]);
}

const LOCK_NAMES = `select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name`;
