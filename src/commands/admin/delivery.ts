import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import { jsonText } from '#core/schema/json.ts';
import {
  listAllDeliveries,
  listDelivery,
  type DeliveryFilter,
  type ListedDelivery,
} from '../../webhooks/deliveries/list-all-deliveries.ts';
import type { AdminContext } from '../context.ts';
import { existing, readCount } from './answers.ts';
import { deliveryTable } from './delivery-table.ts';
import { knownSubscription } from './known-subscription.ts';
import { liveSubAccount } from './live-sub-account.ts';
import { replayCommand } from './replay-deliveries.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;

const list = defineCommand<AdminContext>()({
  path: 'admin delivery list',
  summary: 'List webhook delivery attempts, newest first',
  options: {
    subscription: { flag: '--subscription <id>', help: 'only those to this subscription' },
    subAccount: { flag: '--sub-account <sub>', help: 'only those of this sub-account' },
    failed: { flag: '--failed', help: 'only those that failed' },
    limit: {
      flag: '--limit <n>',
      help: `maximum number of rows (default: ${LIMIT_DEFAULT})`,
      parse: readCount(LIMIT_MAX),
    },
    follow: {
      flag: '--follow',
      help: 'show each attempt that is made from now on instead, until Ctrl-C; with --json a JSON value per line',
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
      const { runFollow } = await import('../run-follow.ts');
      return runFollow(context, filter);
    }
    const view = context.openView(AGENCY, context.clock());
    const rows = await listAllDeliveries(view, filter, limit ?? LIMIT_DEFAULT);
    return { json: rows, table: deliveryTable(rows) };
  },
});

interface DeliveryInput {
  readonly subscription: string | undefined;
  readonly subAccount: string | undefined;
  readonly failed: boolean | undefined;
}

/** What is named has to be there. */
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
  const { id, subAccountId } = await knownSubscription(view, subscription, subAccount);
  return { subscriptionId: id, subAccountId, failed };
}

const retry = defineCommand<AdminContext>()({
  path: 'admin delivery retry',
  summary: 'Retry a delivery now',
  arguments: ['id'],
  options: {},
  examples: ['frontdesk admin delivery retry 0198c0de-…'],
  context: 'service',
  async run({ openView, clock, transact, actor }, { id }) {
    const found = existing(await listDelivery(openView(AGENCY, clock()), id), 'delivery', id);
    const { subAccountId, subscriptionId } = found;
    const { retryDelivery } = await import('../../webhooks/deliveries/retry-delivery.ts');
    const queued = await transact(
      subAccountId,
      actor,
      (work) => retryDelivery(work, { subscriptionId, deliveryId: found.id }),
      async (_, written) => JSON.parse(jsonText(written())) as ListedDelivery,
    );
    return {
      json: { ...queued, subscriptionId, subAccountId },
      text: `attempt ${queued.attempt} of ${queued.event} is on its way (${queued.id})`,
    };
  },
});

export const deliveryCommands = [list, retry, replayCommand];
