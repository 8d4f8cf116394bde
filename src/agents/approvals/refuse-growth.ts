import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import { Fault } from '#core/fault.ts';

/** Lists grow between the request and the decision: a tenth more is what the person expected. */
const GROWTH = 1.1;

/**
 * Throws FORBIDDEN if a call would now reach more people than the approval said: the agent that asked
 * may have added them since.
 */
export function refuseGrowth(approved: Effects, current: Effects): void {
  for (const [name, count] of Object.entries(current)) {
    const expected = approved[name] ?? 0;
    if (count > expected * GROWTH) {
      const message = `nothing was done: there would now be ${count} ${name}, and ${expected} were approved; ask again`;
      throw new Fault('FORBIDDEN', message, { reason: 'approval_outgrown', [name]: count });
    }
  }
}
