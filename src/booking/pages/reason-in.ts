import type { Fault } from '#core/fault.ts';
import type { Messages } from './messages/en.ts';

/** The reason of a refused booking, for people. */
export function reasonIn({ details }: Fault, { reasons }: Messages): string | undefined {
  const { reason }: { reason?: string } = details ?? {};
  if (reason === undefined) {
    return undefined;
  }
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : reasons.closed;
}
