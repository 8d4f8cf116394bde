import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { DAY_MS } from '#lib/duration.ts';
import { regenerateSecret } from '../../../webhooks/subscriptions/regenerate-secret.ts';
import { regenerateWorkflowSecret } from '../../../workflows/definition/regenerate-workflow-secret.ts';
import type { AdminContext } from '../../open-admin.ts';
import { liveSubAccount, readDurationMs, subAccountOption } from '../answers.ts';
import { changeSubscription } from './webhook.ts';

const GRACE_MAX_MS = 7 * DAY_MS;

const regenerateWebhook = defineCommand<AdminContext>()({
  path: 'admin secret regenerate webhook',
  summary: 'Replace the signing secret of a webhook subscription and show it once',
  arguments: ['id'],
  options: {
    grace: {
      flag: '--grace <duration>',
      help: 'how long deliveries are also signed with the old secret, up to 7d (default: not at all)',
      parse(given: string) {
        const ms = readDurationMs(given);
        if (ms > GRACE_MAX_MS) {
          throw new UsageFault(`${given} was given; it must be 7d or less`);
        }
        return ms;
      },
    },
  },
  examples: [
    'frontdesk admin secret regenerate webhook 0198c0de-… --grace 24h',
    'frontdesk admin secret regenerate webhook 0198c0de-…',
  ],
  context: 'service',
  async run(context, { id, grace: graceMs = 0 }) {
    const gracePeriodSeconds = Math.ceil(graceMs / 1_000);
    const { row, outcome } = await changeSubscription(context, id, (work) =>
      regenerateSecret(work, context.secrets, { id, gracePeriodSeconds }),
    );
    const before =
      graceMs > 0
        ? 'until the grace period ends, they also have a signature by the old one, so a receiver that knows either secret accepts them'
        : 'the old one is no longer used';
    return { json: { secret: outcome }, text: secretText(row.url, before, outcome) };
  },
});

const regenerateWorkflow = defineCommand<AdminContext>()({
  path: 'admin secret regenerate workflow',
  summary: 'Create or replace the signing secret of a workflow and show it once',
  arguments: ['slug'],
  options: {
    subAccount: subAccountOption,
  },
  examples: ['frontdesk admin secret regenerate workflow new-lead --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { slug, subAccount }) {
    const { id } = await liveSubAccount(context, subAccount);
    const secret = await context.transact(id, context.actor, (work) =>
      regenerateWorkflowSecret(work, context.secrets, slug),
    );
    return { json: { secret }, text: workflowSecretText(slug, secret) };
  },
});

const workflowSecretText = (slug: string, secret: string): string =>
  `calls of ${slug} must be signed with this secret; an earlier one is refused now\n\n  ${secret}\n\nThis is shown once, so give it to the caller now.`;

const secretText = (url: string, before: string, secret: string): string =>
  `deliveries to ${url} are signed with a new secret; ${before}\n\n  ${secret}\n\nThis is shown once, so give it to the receiver now.`;

export const secretCommands = [regenerateWebhook, regenerateWorkflow];
