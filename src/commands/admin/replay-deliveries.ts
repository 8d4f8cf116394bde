import { defineCommand, type Command } from '#kit/command.ts';
import { Fault, UsageFault } from '#kit/fault.ts';
import { AGENCY } from '#kit/id.ts';
import { confirmed } from '#platform/cli/complete-answers.ts';
import type { AdminContext } from '../context.ts';
import { readTime } from './answers.ts';
import { knownSubscription } from './known-subscription.ts';

export const replayCommand: Command<AdminContext> = defineCommand<AdminContext>()({
  path: 'admin delivery replay',
  summary: 'Send a subscription once more every event since a time that it asks for',
  options: {
    subscription: {
      flag: '--subscription <id>',
      help: 'the subscription, also a disabled one',
      required: true,
    },
    since: {
      flag: '--since <time>',
      help: 'the first moment whose events are sent, in ISO 8601',
      required: true,
      parse: readTime,
    },
  },
  examples: [
    'frontdesk admin delivery replay --subscription 0198c0de-… --since 2026-12-01T09:00:00Z',
    'frontdesk admin delivery replay --subscription 0198c0de-… --since 2026-12-01T09:00:00Z --yes',
  ],
  context: 'service',
  async run({ openView, clock, transact, actor }, { subscription, since }) {
    if (since > clock()) {
      throw new UsageFault(`--since: ${since.toISOString()} lies in the future`);
    }
    const { id, url, subAccountId } = await knownSubscription(
      openView(AGENCY, clock()),
      subscription,
    );
    const { countReplay, replayDeliveries } = await import('../../webhooks/replay-deliveries.ts');
    const replay = { subscriptionId: id, since };
    await askAbout(await countReplay(openView(subAccountId, clock()), replay), url);
    const replayed = await transact(subAccountId, actor, (work) => replayDeliveries(work, replay));
    return {
      json: { subscriptionId: id, since: since.toISOString(), replayed },
      text: `${replayed} event(s) are on their way to ${url}`,
    };
  },
});

/** How many they are is known now only, so the question is no `confirm` of the declaration. */
async function askAbout(events: number, url: string): Promise<void> {
  const question = `Send ${events} event(s) to ${url} once more?`;
  const invocation = {
    command: { ...replayCommand, confirm: question },
    given: {},
    json: false,
    yes: process.argv.includes('--yes'),
  };
  if (events > 0 && !(await confirmed(invocation, {}))) {
    throw new Fault('VALIDATION_ERROR', 'nothing was done');
  }
}
