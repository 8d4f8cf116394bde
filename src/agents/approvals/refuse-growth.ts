import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import { isOutgrown } from '#core/agent.ts';
import { Fault } from '#core/fault.ts';

/**
 * Throws FORBIDDEN if a call would now reach more people than the approval said: the agent that asked
 * may have added them since.
 */
export function refuseGrowth(approved: Effects, current: Effects): void {
  for (const [name, count] of Object.entries(current)) {
    const expected = approved[name] ?? 0;
    if (isOutgrown(expected, count)) {
      const message = `nothing was done: there would now be ${count} ${name}, and ${expected} were approved; ask again`;
      throw new Fault('FORBIDDEN', message, { reason: 'approval_outgrown', [name]: count });
    }
  }
}
