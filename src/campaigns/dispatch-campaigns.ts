import { isOutgrown } from '#core/agent.ts';
import { handle, type JobContext } from '#core/job.ts';
import { AGENCY } from '#lib/id.ts';
import { dispatchCampaigns, mailCampaigns } from './campaigns.jobs.ts';
import { Fault } from '#core/fault.ts';
import type { Actor, Transact, Work } from '#core/work.ts';
import { mailingLease } from './delivery/claim-recipients.ts';
import { countMails } from './audience/preview-audience.ts';
import type { Campaign } from './campaign.entity.ts';
import type { CampaignStatus } from './campaign.schema.ts';
import { LATE_H, lockCampaign, markHeld } from './campaign.store.ts';
import { requireList } from './lists/list.store.ts';
import { runRecurring, type Tick } from './recurring/run-recurring.ts';
import { startMailing } from './start-campaign.ts';
import { isQueued } from '#platform/queue/private-tables.ts';

/** Never fails: the next tick tries again whatever is still due. */
export const handleDispatchCampaigns = handle(
  dispatchCampaigns,
  async (_, { openView, clock, transact, actor, signal, log }) => {
    const tools = { database: openView(AGENCY, clock()), transact };
    try {
      await queueAbandonedMailing(tools);
      const ticks = await runRecurring(tools, actor, signal).catch((error: unknown) => {
        log.warn({ err: error }, 'recurring campaigns not run; trying again');
        return [];
      });
      for (const tick of ticks) {
        logTick(log, tick);
      }
      const started = await dispatchDue(tools, actor, signal);
      if (started.length > 0) {
        log.info({ campaigns: started.length }, 'due campaigns started or held');
      }
    } catch (error) {
      log.warn({ err: error }, 'due campaigns not started; trying again');
    }
  },
);

/** Names the sub-account: the key is unique within it. */
function logTick(log: JobContext['log'], { error, ...tick }: Tick): void {
  if (error === null) {
    log.info(tick, 'a recurring campaign runs');
  } else {
    log.warn({ ...tick, reason: error }, 'a run of a recurring campaign was skipped');
  }
}

/** Campaigns per page; each call tries all that are due. */
const PAGE = 100;

interface DispatchTools {
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
 * Starts every campaign that is due by the database's clock, which all processes share. Each starts
 * once, whatever the number of concurrent processes. A campaign that cannot be sent, or is six hours
 * late, is held. Throws the first error after every campaign was tried.
 */
export async function dispatchDue(
  tools: DispatchTools,
  actor: Actor,
  signal?: AbortSignal,
): Promise<Dispatched[]> {
  const dispatched: Dispatched[] = [];
  const failures: unknown[] = [];
  for await (const { subAccountId, id } of findDue(tools)) {
    if (signal?.aborted) {
      break;
    }
    try {
      const outcome = await tools.transact(subAccountId, actor, (work) => dispatch(work, id));
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

interface Due {
  readonly subAccountId: string;
  readonly id: string;
  readonly scheduledAt: Date;
}

/** Pages by keyset: campaigns that fail and stay due do not hide the ones after them. */
async function* findDue({ database }: DispatchTools): AsyncGenerator<Due> {
  let last: Pick<Due, 'id' | 'scheduledAt'> = { id: AGENCY, scheduledAt: new Date(0) };
  for (;;) {
    const page: Due[] = await database.rows<Due>(DUE, [last.scheduledAt, last.id]);
    yield* page;
    const end = page.at(-1);
    if (!end || page.length < PAGE) {
      return;
    }
    last = end;
  }
}

const IS_DUE = `c.status = 'scheduled' and c.scheduled_at <= now()`;

const DUE = `select c.sub_account_id as "subAccountId", c.id, c.scheduled_at as "scheduledAt"
  from campaigns c
  join sub_accounts a on a.id = c.sub_account_id and a.deleted_at is null
  where ${IS_DUE} and (c.scheduled_at, c.id) > ($1::timestamptz, $2::uuid)
  order by c.scheduled_at, c.id limit ${PAGE}`;

type Outcome = Pick<Dispatched, 'status' | 'heldBecause'>;

/** Returns undefined if another process has dispatched it. */
async function dispatch(work: Work, id: string): Promise<Outcome | undefined> {
  const values = [work.subAccountId, id];
  const [found] = await work.rows<{ isLate: boolean }>(LOCK, values);
  if (!found) {
    return undefined;
  }
  const campaign = await lockCampaign(work, id);
  const problem = found.isLate ? 'late' : await startUnlessRefused(work, campaign);
  if (problem !== undefined) {
    markHeld(work, id, problem);
    return { status: 'held', heldBecause: problem };
  }
  return { status: 'sending', heldBecause: null };
}

/** Starts a campaign, or returns the code of the reason against it. */
async function startUnlessRefused(work: Work, campaign: Campaign): Promise<string | undefined> {
  const list = await requireList(work, campaign).catch(refusal);
  if (typeof list === 'string') {
    return list;
  }
  if (await hasOutgrown(work, campaign)) {
    return 'approval_outgrown';
  }
  await startMailing(work, campaign, list);
  return undefined;
}

/** Returns whether the list of a campaign has grown since a person approved what an agent scheduled. */
async function hasOutgrown(work: Work, { id, approvedMails = null }: Campaign): Promise<boolean> {
  if (approvedMails === null) {
    return false;
  }
  const { mails = 0 } = await countMails(work, { id });
  return isOutgrown(approvedMails, mails);
}

const LOCK = `select c.scheduled_at < now() - interval '${LATE_H} hours' as "isLate"
  from campaigns c where c.sub_account_id = $1 and c.id = $2 and ${IS_DUE} for update skip locked`;

function refusal(error: unknown): string {
  if (error instanceof Fault) {
    return error.code;
  }
  throw error;
}

/**
 * Queues the mailing job of sub-accounts with unfinished campaigns or claimed recipients, but without
 * a lease and without a queued job: their worker was killed, or its job was given up.
 */
async function queueAbandonedMailing({ database }: Pick<DispatchTools, 'database'>): Promise<void> {
  const { name, maxAttempts } = mailCampaigns;
  const abandoned = await database.rows<{ id: string }>(ABANDONED, [name]);
  if (abandoned.length > 0) {
    await database.rows(QUEUE_MAILING, [abandoned.map(({ id }) => id), name, maxAttempts]);
  }
}

const ABANDONED = `select a.id from (
    select sub_account_id from campaigns where status = 'sending'
    union select sub_account_id from campaign_recipients where status = 'sending'
  ) as unfinished
  join sub_accounts a on a.id = unfinished.sub_account_id and a.deleted_at is null
  left join campaign_turns t on t.sub_account_id = a.id
  where not ${mailingLease.isHeld('t')}
    and not ${isQueued(`$1 || ':' || a.id`)}`;

/** A statement without our tables: in a cluster the coordinator has the queue. */
const QUEUE_MAILING = `select queue_jobs(
    array_agg($2::text), array_agg($2::text || ':' || id),
    array_agg(json_build_object('subAccountId', id)), $3::int
  ) from unnest($1::uuid[]) as id`;
