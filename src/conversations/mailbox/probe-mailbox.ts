import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { readChannel } from '../channels/read-channel.ts';
import { accountOf } from './mailbox-account.ts';
import { openImap } from './open-imap.ts';

const PATIENCE_MS = 10_000;

interface Probing {
  readonly secrets: Secrets;
  /** CIDRs of private networks that sub-accounts may name all the same. */
  readonly outboundAllow: readonly string[];
}

/** Opens the mailbox of a sub-account as a worker would, and closes it; answers why that failed. */
export async function probeMailbox(
  view: View,
  { secrets, outboundAllow }: Probing,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const setup = await readChannel(view, secrets, 'email');
    const account = setup && accountOf(setup);
    if (!account) {
      return 'no user for it is set up';
    }
    const client = await openImap(account, { allow: outboundAllow, attempt: 0, signal });
    try {
      await client.mailboxOpen(account.mailbox, { readOnly: true });
      return undefined;
    } finally {
      client.close();
    }
  } catch (error) {
    return signal.aborted ? `no answer within ${PATIENCE_MS / 1_000} s` : reasonOf(error);
  }
}

/** What the server said, where it said something: the library's own words are "Command failed". */
function reasonOf(error: unknown): string {
  const { responseText, message } = error as Error & { readonly responseText?: string };
  return responseText ?? message;
}
