import { defineCommand } from '#core/command.ts';
import { jsonText } from '#core/schema/json.ts';
import type { View, Work } from '#core/work.ts';
import { sleep } from '#lib/abort.ts';
import { counted } from '#lib/counted.ts';
import { AGENCY } from '#lib/id.ts';
import { relativeTime } from '#platform/cli/table.ts';
import { explainWhy } from '../../../console/why/explain-why.ts';
import {
  listDelivery,
  type ListedDelivery,
} from '../../../webhooks/deliveries/list-all-deliveries.ts';
import { sendTest } from '../../../webhooks/deliveries/send-test.ts';
import {
  listAllSubscriptions,
  type ListAllSubscriptionsInput,
  type ListedSubscription,
} from '../../../webhooks/subscriptions/find-subscriptions.ts';
import {
  findReceiverStates,
  type ReceiverState,
} from '../../../webhooks/subscriptions/receiver-state.ts';
import { selectsAll } from '../../../webhooks/subscriptions/subscription.schema.ts';
import { updateSubscription } from '../../../webhooks/subscriptions/update-subscription.ts';
import type { AdminContext } from '../../open-admin.ts';
import { liveSubAccount, existing, onlySubAccount } from '../answers.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin webhook list',
  summary: 'List webhook subscriptions, newest first',
  options: { subAccount: onlySubAccount('subscriptions') },
  examples: [
    'frontdesk admin webhook list',
    'frontdesk admin webhook list --sub-account 0198c0de-…',
  ],
  context: 'service',
  async run(context, { subAccount }) {
    if (subAccount !== undefined) {
      await liveSubAccount(context, subAccount);
    }
    const view = context.openView(AGENCY, context.clock());
    const [listed, states] = await Promise.all([
      listAllSubscriptions(view, { subAccountId: subAccount }),
      findReceiverStates(view, subAccount),
    ]);
    const rows = listed.map((row) => ({ ...row, ...(states.get(row.id) ?? UNKNOWN_STATE) }));
    const table = rows.map(({ events, ...row }) => ({
      id: row.id,
      status: statusText(row, context.clock()),
      url: row.url,
      waiting: row.waiting,
      lastSuccessAt: row.lastSuccessAt,
      consecutiveFailures: row.consecutiveFailures,
      subscribedTo: selectsAll(events) ? 'all events' : counted(events.length, 'event name'),
    }));
    return { json: rows, table };
  },
});

/** The state of a subscription that was created between the two reads. */
const UNKNOWN_STATE: ReceiverState = { failingSince: null, waiting: 0 };

/** Returns `failing 3 h` for an active subscription whose receiver fails; `--wide` has the time. */
const statusText = (
  { status, failingSince }: Pick<ListedSubscription, 'status'> & ReceiverState,
  now: Date,
): string =>
  status === 'active' && failingSince !== null
    ? `failing ${relativeTime(new Date(failingSince), now).replace(/ ago$/, '')}`
    : status;

const test = defineCommand<AdminContext>()({
  path: 'admin webhook test',
  summary: 'Send the event webhook.test to a subscription and show the result',
  arguments: ['id'],
  examples: ['frontdesk admin webhook test 0198c0de-…'],
  context: 'service',
  async run(context, { id }) {
    const { openView, clock, transact, actor } = context;
    const { subAccountId } = await knownSubscription(openView(AGENCY, clock()), id);
    const queued = await transact(
      subAccountId,
      actor,
      (work) => sendTest(work, id),
      async (_, written) => JSON.parse(jsonText(written())) as { id: string },
    );
    const row = await outcomeOf(context, queued.id);
    if (row?.status === 'pending') {
      const why = await whyNotSent(openView(subAccountId, clock()), row.id);
      process.stderr.write(`frontdesk: not sent within ${TEST_TIMEOUT_MS / 1_000} s: ${why}\n`);
    }
    return {
      json: row ?? queued,
      ...(row && { table: { ...deliveryTable([row])[0], responseBody: row.responseBody } }),
      exitCode: row?.status === 'failed' ? 1 : 0,
    };
  },
});

/** Returns why a test waits: the receiver fails, or workers are paused, or none runs. */
async function whyNotSent(view: View, id: string): Promise<string> {
  const { reasons } = await explainWhy(view, { kind: 'delivery', role: 'owner', id });
  const paused = reasons.find(({ rule }) => rule === 'workers_paused' || rule === 'paused');
  return paused?.sentence ?? 'no worker took it; it is sent once a worker runs';
}

/** How long to wait for a test delivery. */
const TEST_TIMEOUT_MS = 20_000;
const POLL_MS = 200;

/** Returns the attempt once it is made; after 20 s, its current state. */
async function outcomeOf(
  { openView, clock }: AdminContext,
  id: string,
): Promise<ListedDelivery | undefined> {
  const end = performance.now() + TEST_TIMEOUT_MS;
  for (;;) {
    const row = await listDelivery(openView(AGENCY, clock()), id);
    if (row?.status !== 'pending' || performance.now() > end) {
      return row;
    }
    await sleep(POLL_MS);
  }
}

const enable = defineCommand<AdminContext>()({
  path: 'admin webhook enable',
  summary: 'Enable a subscription; it receives events from now on',
  arguments: ['id'],
  examples: ['frontdesk admin webhook enable 0198c0de-…'],
  context: 'service',
  async run(context, { id }) {
    const { openView, clock } = context;
    const { status: earlier } = await knownSubscription(openView(AGENCY, clock()), id);
    const { row } = await changeSubscription(context, id, (work) =>
      updateSubscription(work, id, { status: 'active' }),
    );
    const outcome =
      earlier === 'active'
        ? 'was active already: nothing changed; send a failed delivery again with frontdesk admin delivery retry ID'
        : 'receives events from now on; send earlier ones with frontdesk admin delivery replay';
    return {
      json: row,
      text: `${row.url} ${outcome}`,
    };
  },
});

export const webhookCommands = [list, test, enable];

export async function knownSubscription(
  view: View,
  id: string,
  among: Omit<ListAllSubscriptionsInput, 'ids'> = {},
): Promise<ListedSubscription> {
  const [found] = await listAllSubscriptions(view, { ids: [id], ...among });
  return existing(found, 'webhook subscription', id);
}

/** A changed subscription, and the result of the change. */
interface ChangedSubscription<R> {
  readonly row: ListedSubscription;
  readonly outcome: R;
}

/** Changes a subscription in its sub-account. */
export async function changeSubscription<R>(
  { openView, clock, transact, actor }: AdminContext,
  id: string,
  change: (work: Work) => Promise<R>,
): Promise<ChangedSubscription<R>> {
  const { subAccountId } = await knownSubscription(openView(AGENCY, clock()), id);
  return transact(subAccountId, actor, change, async (view, outcome) => ({
    row: await knownSubscription(view, id),
    outcome,
  }));
}

/**
 * The columns of delivery attempts, the most important first. They have the names of the fields, except
 * `result`: the status of the response, or why there is none.
 */
export const deliveryTable = (rows: readonly ListedDelivery[]) =>
  rows.map(({ id, createdAt, sentAt, event, attempt, status, nextAttemptAt, ...row }) => ({
    id,
    result: row.responseStatus ?? row.error,
    event,
    sentAt,
    status,
    attempt,
    nextAttemptAt,
    durationMs: row.durationMs,
    createdAt,
  }));
