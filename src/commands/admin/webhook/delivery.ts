import { sleep } from '#lib/abort.ts';
import {
  followDeliveries,
  listAllDeliveries,
  listDelivery,
  type DeliveryFilter,
  type ListedDelivery,
} from '../../../webhooks/deliveries/list-all-deliveries.ts';
import { defineCommand, type Following, type Command } from '#core/command.ts';
import { UsageFault, Fault } from '#core/fault.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import type { View } from '#core/work.ts';
import { jsonText } from '#core/schema/json.ts';
import { counted } from '#lib/counted.ts';
import { AGENCY } from '#lib/id.ts';
import { confirmed, questionOf, refuseWithoutTerminal } from '#platform/cli/prompts.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import {
  countDelivered,
  countReplay,
  replayDeliveries,
  type Replay,
} from '../../../webhooks/deliveries/replay-deliveries.ts';
import { events as eventTypes } from '#registry/events.ts';
import { listAllSubscriptions } from '../../../webhooks/subscriptions/find-subscriptions.ts';
import { retryDelivery } from '../../../webhooks/deliveries/retry-delivery.ts';
import type { AdminContext } from '../../open-admin.ts';
import {
  existing,
  onlySubAccount,
  readTime,
  liveSubAccount,
  LIMIT_DEFAULT,
  limitOption,
} from '../answers.ts';
import { deliveryTable, knownSubscription } from './webhook.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin delivery list',
  summary: 'List webhook delivery attempts, newest first',
  options: {
    subscription: {
      flag: '--subscription <id>',
      help: 'only attempts for this subscription, which may be deleted',
    },
    subAccount: onlySubAccount('attempts'),
    failed: { flag: '--failed', help: 'only failed attempts' },
    limit: limitOption(),
    follow: {
      flag: '--follow',
      help: 'print new attempts as they are made, until Ctrl-C; with --json one JSON value per line',
    },
  },
  examples: [
    'frontdesk admin delivery list --subscription 0198c0de-… --failed',
    'frontdesk admin delivery list --follow',
  ],
  context: 'service',
  async run(context, { follow, limit, ...wanted }) {
    const filter = await filterOf(context, wanted);
    if (follow) {
      if (limit !== undefined) {
        throw new UsageFault('--follow and --limit exclude each other');
      }
      return runFollow(context, filter);
    }
    const view = context.openView(AGENCY, context.clock());
    const limitTo = limit ?? LIMIT_DEFAULT;
    const rows = await listAllDeliveries(view, filter, limitTo);
    const table = await tableWithReceivers(view, rows);
    return { json: rows, table, below: RECEIVER, limit: limitTo };
  },
});

const RECEIVER = 'receiver';

/** Adds the URLs of the receivers if the attempts are of several subscriptions. */
async function tableWithReceivers(view: View, rows: readonly ListedDelivery[]) {
  const ids = [...new Set(rows.map(({ subscriptionId }) => subscriptionId))];
  if (ids.length < 2) {
    return deliveryTable(rows);
  }
  const subscriptions = await listAllSubscriptions(view, { ids, deleted: true });
  const urls = new Map(subscriptions.map(({ id, url }) => [id, url]));
  return deliveryTable(rows).map(({ id, result, event, ...row }, index) => ({
    id,
    result,
    event,
    [RECEIVER]: urls.get(rows[index]?.subscriptionId ?? ''),
    ...row,
  }));
}

interface DeliveryInput {
  readonly subscription: string | undefined;
  readonly subAccount: string | undefined;
  readonly failed: boolean | undefined;
}

/** Throws a Fault if the sub-account or subscription does not exist. */
async function filterOf(
  context: AdminContext,
  { subscription, subAccount, failed }: DeliveryInput,
): Promise<DeliveryFilter> {
  if (subAccount !== undefined) {
    await liveSubAccount(context, subAccount);
  }
  if (subscription === undefined) {
    return { subAccountId: subAccount, failed };
  }
  const view = context.openView(AGENCY, context.clock());
  const { id, subAccountId } = await knownSubscription(view, subscription, {
    subAccountId: subAccount,
    deleted: true,
  });
  return { subscriptionId: id, subAccountId, failed };
}

const retry = defineCommand<AdminContext>()({
  path: 'admin delivery retry',
  summary: 'Retry a delivery now',
  arguments: ['id'],
  examples: ['frontdesk admin delivery retry 0198c0de-…'],
  context: 'service',
  async run({ openView, clock, transact, actor }, { id }) {
    const found = existing(await listDelivery(openView(AGENCY, clock()), id), 'delivery', id);
    const { subAccountId, subscriptionId } = found;
    const queued = await transact(
      subAccountId,
      actor,
      (work) => retryDelivery(work, { subscriptionId, deliveryId: found.id }),
      async (_, written) => JSON.parse(jsonText(written())) as ListedDelivery,
    );
    return {
      json: { ...queued, subscriptionId, subAccountId },
      text: `queued attempt ${queued.attempt} of ${queued.event} (${queued.id})`,
    };
  },
});

const POLL_MS = 1_000;

/** Prints new attempts as they are made. */
function runFollow({ openView, clock }: AdminContext, filter: DeliveryFilter): Following {
  const { webhookTimeout } = processEnvironment();
  // Waiting for a connection may take as long again.
  const nextRows = followDeliveries(filter, 2 * webhookTimeout);
  return {
    async follow({ say, printed: signal }) {
      while (!signal.aborted) {
        for (const row of await nextRows(openView(AGENCY, clock()))) {
          await say({ json: row, text: lineOf(row, clock()) });
        }
        await sleep(POLL_MS, signal);
      }
    },
  };
}

function lineOf(row: ListedDelivery, now: Date): string {
  const { event, attempt, status, error, responseStatus, durationMs } = row;
  const answer = error ?? responseStatus;
  return `${now.toISOString()}  ${status}  ${event}  attempt ${attempt}  ${answer}  ${durationMs} ms  ${row.id}`;
}

const replayCommand: Command<AdminContext> = defineCommand<AdminContext>()({
  path: 'admin delivery replay',
  summary: 'Send the events since a point in time to a subscription again',
  options: {
    subscription: {
      flag: '--subscription <id>',
      help: 'ID of the subscription, enabled or disabled',
      required: true,
    },
    since: {
      flag: '--since <time>',
      label: 'Start time',
      help: 'send events from this time on, ISO 8601',
      required: true,
      parse: readTime,
    },
    until: {
      flag: '--until <time>',
      help: 'send events before this time, ISO 8601 (default: now)',
      parse: readTime,
    },
    event: { flag: '--event <name>', help: 'only events of this name, such as contact.created' },
    failed: {
      flag: '--failed',
      help: 'only events of which an attempt failed and none succeeded',
    },
  },
  examples: [
    'frontdesk admin delivery replay --subscription 0198c0de-… --since 2026-12-01T09:00:00Z --failed',
    'frontdesk admin delivery replay --subscription 0198c0de-… --since 2026-12-01T09:00:00Z --until 2026-12-01T12:00:00Z --event contact.created --yes',
  ],
  confirmWhen: 'if there are events to send',
  context: 'service',
  async run({ openView, clock, transact, actor }, { subscription, ...selected }, { yes }) {
    const { since } = selected;
    requireSelection(selected, clock());
    const { id, url, subAccountId } = await knownSubscription(
      openView(AGENCY, clock()),
      subscription,
    );
    const replay = replayOf(id, selected);
    const view = openView(subAccountId, clock());
    const events = await countReplay(view, replay);
    const delivered = events > 0 ? await countDelivered(view, replay) : 0;
    await confirmReplay({ events, delivered, url, yes });
    const replayed = await transact(subAccountId, actor, (work) => replayDeliveries(work, replay));
    return {
      json: { subscriptionId: id, since: since.toISOString(), replayed },
      text: `queued ${counted(replayed, 'event')} for ${url}`,
    };
  },
});

interface ReplaySelection {
  readonly since: Date;
  readonly until: Date | undefined;
  readonly event: string | undefined;
  readonly failed: boolean | undefined;
}

const replayOf = (
  subscriptionId: string,
  { since, until, event, failed }: ReplaySelection,
): Replay => ({ subscriptionId, since, until, event, only: failed ? 'failed' : 'all' });

/** Throws a UsageFault for times that select nothing, and for the name of no event. */
function requireSelection({ since, until, event }: ReplaySelection, now: Date): void {
  if (since > now) {
    throw new UsageFault(`--since: ${since.toISOString()} is in the future; give a past time`);
  }
  if (until && until <= since) {
    throw new UsageFault(`--until: ${until.toISOString()} is not after --since`);
  }
  const names = eventTypes.map(({ name }) => name);
  if (event !== undefined && !names.includes(event)) {
    throw new UsageFault(`--event: unknown event "${event}"${didYouMean(event, names)}`);
  }
}

interface ReplayQuestion {
  readonly events: number;
  /** How many of the events the receiver has already accepted. */
  readonly delivered: number;
  readonly url: string;
  readonly yes: boolean;
}

/** Not declared as `confirm`: the question names the number of events, which is counted first. */
async function confirmReplay(input: ReplayQuestion): Promise<void> {
  const { events, delivered, url, yes } = input;
  const again = delivered > 0 ? ` ${againText(events, delivered)}` : '';
  const text = `Send ${counted(events, 'event')} to ${url}?${again}`;
  const command = { ...replayCommand, confirm: text };
  const question = events > 0 ? questionOf({ command, yes }, {}) : undefined;
  if (!question) {
    return;
  }
  refuseWithoutTerminal(replayCommand, text);
  if (!(await confirmed(question))) {
    throw new Fault('VALIDATION_ERROR', 'cancelled, nothing was changed');
  }
}

/** The receiver gets events a second time: those that it has accepted. */
function againText(events: number, delivered: number): string {
  const many = delivered === events ? 'All' : delivered;
  const subject = events === 1 ? 'It' : `${many} of them`;
  const [were, are] = delivered === 1 ? ['was', 'is'] : ['were', 'are'];
  return `${subject} ${were} already delivered and ${are} sent again.`;
}

export const deliveryCommands = [list, retry, replayCommand];
