import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { explainWhy, whyKinds, WHY_KINDS, type Why } from '../../console/why/explain-why.ts';
import { missingInput } from '../../console/why/why.ts';
import type { AdminContext } from '../open-admin.ts';
import { given, readTime, subAccountOption, viewOf } from './answers.ts';

const id = <W extends string>(what: W, help: string) => ({ flag: `--${what} <id>`, help }) as const;

const members = {
  id: id(
    'id',
    'ID of the message, delivery, run (kind step) or appointment (kinds confirmation, reminder and slot)',
  ),
  type: { flag: '--type <key>', help: 'slot: key or ID of the appointment type' },
  start: {
    flag: '--start <time>',
    help: 'slot: the start, ISO 8601',
    parse: (text: string) => readTime(text).toISOString(),
  },
  assignedTo: id('member', 'slot: ID of the team member who is to take it'),
  conversationId: id('conversation', 'message: ID of the conversation of a skipped send'),
  eventId: id('event', 'delivery, trigger: ID of the event'),
  subscriptionId: id('subscription', 'delivery: ID of the webhook subscription'),
  workflow: { flag: '--workflow <slug>', help: 'trigger: slug of the workflow' },
  campaignId: id('campaign', 'recipient: ID of the campaign'),
  contactId: id('contact', 'recipient: ID of the contact'),
} as const;

const why = defineCommand<AdminContext>()({
  path: 'admin why',
  summary: 'Explain why something did not happen: the rule, the record and the moment',
  arguments: ['kind'],
  argumentChoices: { kind: WHY_KINDS },
  options: { subAccount: subAccountOption, ...members },
  examples: [
    'frontdesk admin why slot --sub-account 0198c0de-… --type checkup-30 --start 2026-12-01T09:00:00Z',
    'frontdesk admin why message --sub-account 0198c0de-… --id 0198c0de-…',
    'frontdesk admin why recipient --sub-account 0198c0de-… --campaign 0198c0de-… --contact 0198c0de-…',
  ],
  context: 'service',
  async run(context, { subAccount: sub, kind, ...input }) {
    const known = whyKinds.find((one) => one.kind === kind);
    const needed = known && missingInput(known, input, (member) => flagOf(members[member]));
    if (needed !== undefined) {
      throw new UsageFault(`why ${kind} needs ${needed}`);
    }
    const question = { kind, role: 'owner' as const, ...given(input) };
    const answer = await explainWhy(await viewOf(context, sub), question);
    return { json: answer, text: textOf(answer) };
  },
});

const flagOf = ({ flag }: { readonly flag: string }): string => flag.replace(/ .*/, '');

const textOf = ({ reasons }: Why): string =>
  reasons
    .map(({ rule, sentence, record, at }) =>
      [
        sentence,
        `  rule    ${rule}`,
        ...(record ? [`  record  ${record.type} ${record.id}`] : []),
        ...(at ? [`  at      ${at}`] : []),
      ].join('\n'),
    )
    .join('\n');

export const whyCommands = [why];
