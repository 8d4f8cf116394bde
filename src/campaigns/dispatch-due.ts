import { Fault } from '#kit/fault.ts';
import type { Actor, Transact, Work } from '#kit/work.ts';
import type { CampaignStatus } from './campaign.shape.ts';
import { holdCampaign } from './hold-campaign.ts';
import { lockCampaign } from './lock-campaign.ts';
import { requireList } from './require-list.ts';
import { startMailing } from './start-campaign.ts';

const LATE_H = 6;
const AT_ONCE = 100;

export interface DispatchTools {
  readonly database: {
    rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  };
  readonly transact: Transact;
}

export interface Dispatched {
  readonly id: string;
  readonly subAccountId: string;
  readonly status: CampaignStatus;
  readonly heldBecause: string | null;
}

/**
 * Starts every campaign that is due by the clock of the database, which all processes share, each
 * one once however many do this at a time. What cannot go out, or would go out far too late, is held.
 * Where one fails the others are started all the same, before it throws.
 */
export async function dispatchDue(
  { database, transact }: DispatchTools,
  actor: Actor,
): Promise<Dispatched[]> {
  const due = await database.rows<{ subAccountId: string; id: string }>(DUE);
  const dispatched: Dispatched[] = [];
  const failures: unknown[] = [];
  for (const { subAccountId, id } of due) {
    try {
      const outcome = await transact(subAccountId, actor, (work) => dispatch(work, id));
      if (outcome) {
        dispatched.push({ id, subAccountId, ...outcome });
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return dispatched;
}

const IS_DUE = `c.status = 'scheduled' and c.scheduled_at <= now()`;

const DUE = `select c.sub_account_id as "subAccountId", c.id from campaigns c
  join sub_accounts a on a.id = c.sub_account_id and a.deleted_at is null
  where ${IS_DUE} order by c.scheduled_at limit ${AT_ONCE}`;

type Outcome = Pick<Dispatched, 'status' | 'heldBecause'>;

/** Undefined where somebody else was quicker. */
async function dispatch(work: Work, id: string): Promise<Outcome | undefined> {
  const values = [work.subAccountId, id];
  const [found] = await work.rows<{ isLate: boolean }>(LOCK, values);
  if (!found) {
    return undefined;
  }
  const campaign = await lockCampaign(work, id);
  const reason = found.isLate ? 'late' : undefined;
  const list = reason === undefined ? await requireList(work, campaign).catch(refusal) : reason;
  if (typeof list === 'string') {
    holdCampaign(work, id, list);
    return { status: 'held', heldBecause: list };
  }
  await startMailing(work, id, list);
  return { status: 'sending', heldBecause: null };
}

const LOCK = `select c.scheduled_at < now() - interval '${LATE_H} hours' as "isLate"
  from campaigns c where c.sub_account_id = $1 and c.id = $2 and ${IS_DUE} for update skip locked`;

function refusal(error: unknown): string {
  if (error instanceof Fault) {
    return error.code;
  }
  throw error;
}
