import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { normalised } from '../rows/addresses.ts';
import { OptOut, type OptOutChannel } from './opt-out.entity.ts';

interface Suppression {
  readonly channel: OptOutChannel;
  readonly address: string;
  /** Why: `stop`, `unsubscribe`, `bounce`, `complaint`, `manual`. */
  readonly reason: string;
}

/** Closes an address to a channel and answers its line; one that was there keeps its reason. */
export async function suppressAddress(work: Work, input: Suppression): Promise<OptOut> {
  const { em, subAccountId, now } = work;
  const { channel, reason } = input;
  const address = normalised(input.address);
  const id = newId(now);
  const line = await em.upsert(
    OptOut,
    { subAccountId, id, channel, address, reason, createdAt: now },
    { onConflictFields: ['subAccountId', 'address', 'channel'], onConflictAction: 'ignore' },
  );
  if (line.id === id) {
    work.audit(id);
  }
  return line;
}
