import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';

/** Ends the approvals of a key that wait for a decision: the key may no longer do what it asked for. */
export async function voidApprovals(
  work: Work,
  { data: { keyId } }: Occurrence<{ readonly keyId: string }>,
): Promise<void> {
  work.write(VOID, [keyId, work.now]);
}

/** In every sub-account: an agency key reaches many. */
const VOID = `update agent_approvals set decision = 'expired', decided_at = $2
  where key_id = $1 and decision = 'pending'`;
