import { defineCommand, type Command } from '#core/command.ts';
import { Fault, UsageFault } from '#core/fault.ts';
import { AGENCY } from '#lib/id.ts';
import { counted } from '#lib/counted.ts';
import { confirmed, questionOf } from '#platform/cli/complete-answers.ts';
import type { AdminContext } from '../context.ts';
import { readTime } from './answers.ts';
import { knownSubscription } from './known-subscription.ts';

export const replayCommand: Command<AdminContext> = defineCommand<AdminContext>()({
  path: 'admin delivery replay',
  summary: 'Send all events since a point in time to a subscription again',
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
  },
  examples: [
    'frontdesk admin delivery replay --subscription 0198c0de-… --since 2026-12-01T09:00:00Z',
    'frontdesk admin delivery replay --subscription 0198c0de-… --since 2026-12-01T09:00:00Z --yes',
  ],
  context: 'service',
  async run({ openView, clock, transact, actor }, { subscription, since }, { yes }) {
    if (since > clock()) {
      throw new UsageFault(`--since: ${since.toISOString()} lies in the future`);
    }
    const { id, url, subAccountId } = await knownSubscription(
      openView(AGENCY, clock()),
      subscription,
    );
    const { countReplay, replayDeliveries } =
      await import('../../webhooks/deliveries/replay-deliveries.ts');
    const replay = { subscriptionId: id, since };
    const events = await countReplay(openView(subAccountId, clock()), replay);
    await confirmReplay({ events, url, yes });
    const replayed = await transact(subAccountId, actor, (work) => replayDeliveries(work, replay));
    return {
      json: { subscriptionId: id, since: since.toISOString(), replayed },
      text: `${counted(replayed, 'event')} queued for ${url}`,
    };
  },
});

interface ReplayQuestion {
  readonly events: number;
  readonly url: string;
  readonly yes: boolean;
}

/** The number of events is known only now, so the question is not a `confirm` of the declaration. */
async function confirmReplay({ events, url, yes }: ReplayQuestion): Promise<void> {
  const text = `Send ${counted(events, 'event')} to ${url} again?`;
  const command = { ...replayCommand, confirm: text };
  const question = events > 0 ? questionOf({ command, yes }, {}) : undefined;
  if (question && !(await confirmed(question))) {
    throw new Fault('VALIDATION_ERROR', 'cancelled, nothing was changed');
  }
}
