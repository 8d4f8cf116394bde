import type { Work } from '#kit/work.ts';
import { normalised } from './addresses.ts';
import { OptOut, type OptOutChannel } from './opt-out.entity.ts';

interface Suppressed {
  readonly channel: OptOutChannel;
  readonly address: string;
}

/** Opens an address to a channel again; answers the line that is gone, nothing where none was. */
export async function unsuppressAddress(
  work: Work,
  given: Suppressed,
): Promise<OptOut | undefined> {
  const { em, subAccountId } = work;
  const address = normalised(given.address);
  const line = await em.findOne(OptOut, { subAccountId, channel: given.channel, address });
  if (line) {
    em.remove(line);
    work.touch(line.id);
  }
  return line ?? undefined;
}
