import { type StatusChange, changeMessageStatus } from './change-message-status.ts';
import { firstIdAt } from '#lib/id.ts';
import { handle } from '#core/job.ts';
import type { View } from '#core/work.ts';
import { MINUTE_MS, HOUR_MS } from '#lib/duration.ts';
import type { Channel } from '../../contacts/channels.ts';
import { fetchAllStatuses, fetchStatuses } from '../conversations.jobs.ts';
import { fetchTwilioStatus } from '../providers/twilio/status.ts';
import { readChannel } from '../channels/channel.store.ts';

/** After this time without a callback the status is fetched: the provider may not reach us. */
const SILENT_MS = 15 * MINUTE_MS;
/** After this time the message is failed. Twilio itself gives up after ten hours. */
const LOST_MS = 72 * HOUR_MS;
/** Messages per run, chosen at random, so that those without a status do not block others. */
const BATCH_SIZE = 100;
/** A job stops after this time: the next one is due. */
const RUN_MS = 4 * MINUTE_MS;

/** Fetches the statuses of messages that a provider accepted and has not reported on since. */
export const handleFetchStatuses = handle(fetchStatuses, async ({ subAccountId }, context) => {
  const { openView, clock, tools, transact, actor, signal } = context;
  const view = openView(subAccountId, clock());
  const until = view.now.getTime() + RUN_MS;
  for (const message of await findUnderway(view)) {
    if (signal.aborted || clock().getTime() > until) {
      return;
    }
    const setup = await readChannel(view, tools.secrets, message.channel);
    const fetched =
      setup?.provider === 'twilio' ? await fetchTwilioStatus(setup, message, context) : undefined;
    const change = fetched ?? (message.isLost ? NO_RECEIPT : undefined);
    if (change) {
      await transact(subAccountId, actor, (work) => changeMessageStatus(work, message.id, change));
    }
  }
});

interface Underway {
  readonly id: string;
  readonly channel: Channel;
  readonly externalId: string;
  readonly isLost: boolean;
}

const NO_RECEIPT: StatusChange = {
  status: 'failed',
  errorCode: 'no_receipt',
  errorMessage: 'the provider accepted the message but never reported its status',
};

const findUnderway = (view: View): Promise<Underway[]> =>
  view.rows(UNDERWAY, [view.subAccountId, before(view.now, SILENT_MS), before(view.now, LOST_MS)]);

const IS_UNDERWAY = `m.status = 'pending' and m.external_id is not null
  and m.direction = 'outbound'`;

const UNDERWAY = `select m.id, m.channel, m.external_id as "externalId", m.id < $3 as "isLost"
  from messages m
  where m.sub_account_id = $1 and m.id < $2 and ${IS_UNDERWAY}
  order by random() limit ${BATCH_SIZE}`;

/** Ids hold the time of creation. */
const before = (now: Date, ms: number): string => firstIdAt(new Date(now.getTime() - ms));

export const handleFetchAllStatuses = handle(fetchAllStatuses, async (_, { execute, clock }) => {
  await execute(QUEUE_ALL, [
    fetchStatuses.name,
    fetchStatuses.maxAttempts,
    before(clock(), SILENT_MS),
  ]);
});

/** One job per sub-account; a second is not queued while one runs. */
const QUEUE_ALL = `select queue_jobs(
    array_agg($1::text), array_agg($1::text || ':' || due.id),
    array_agg(json_build_object('subAccountId', due.id)), $2::int
  ) from (
    select distinct m.sub_account_id as id from messages m
    join sub_accounts s on s.id = m.sub_account_id and s.deleted_at is null
    where m.id < $3::uuid and ${IS_UNDERWAY}
  ) as due`;
