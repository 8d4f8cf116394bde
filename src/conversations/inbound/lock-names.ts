import type { Work } from '#core/work.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
import type { Channel } from '../../contacts/channels.ts';

/** The lock of a provider's message id. */
export const externalName = (channel: Channel, externalId: string): string =>
  JSON.stringify(['external', channel, externalId]);

/** The lock of a sender's address: one contact, also for messages of several channels at once. */
export const senderName = (address: string): string =>
  JSON.stringify(['sender', normalised(address)]);

/**
 * Takes advisory locks on names that may have no row yet, until the work ends. They are sorted, so that
 * two works never wait for each other.
 */
export async function lockNames(work: Work, names: readonly string[]): Promise<void> {
  await work.rows(LOCK_NAMES, [names.map((name) => `${work.subAccountId} ${name}`).sort()]);
}

const LOCK_NAMES = `select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name`;
