import type { Work } from '#core/work.ts';
import { lockTexts } from '#platform/database/advisory-lock.ts';
import { normalised } from '../../contacts/claim-addresses.ts';
import type { Channel } from '../../contacts/channels.ts';

/** The lock of a provider's message id. */
export const externalName = (channel: Channel, externalId: string): string =>
  JSON.stringify(['external', channel, externalId]);

/** The lock of a sender's address: one contact, also for messages of several channels at once. */
export const senderName = (address: string): string =>
  JSON.stringify(['sender', normalised(address)]);

/** Locks names of the sub-account that may have no row yet, until the work ends. */
export const lockNames = (work: Work, names: readonly string[]): Promise<void> =>
  lockTexts(work, ...names.map((name) => `${work.subAccountId} ${name}`));
