import type { Work } from '#core/work.ts';
import { normalised } from '../rows/addresses.ts';
import { OptOut, type OptOutChannel } from './opt-out.entity.ts';

interface Suppressed {
  readonly channel: OptOutChannel;
  readonly address: string;
  /** Removes nothing where the address was suppressed for another reason. */
  readonly reason?: string;
}

/** Removes the suppression of an address and returns it; undefined where there was none to remove. */
export async function unsuppressAddress(
  work: Work,
  given: Suppressed,
): Promise<OptOut | undefined> {
  const { em, subAccountId } = work;
  const { channel, reason } = given;
  const address = normalised(given.address);
  const line = await em.findOne(OptOut, {
    subAccountId,
    channel,
    address,
    ...(reason !== undefined && { reason }),
  });
  if (line) {
    em.remove(line);
    work.audit(line.id);
  }
  return line ?? undefined;
}
