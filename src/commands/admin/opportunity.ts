import { readOpportunity } from '../../opportunities/opportunity.store.ts';
import { markOpportunity } from '../../opportunities/set-opportunity-status.ts';
import { defineCommand } from '#core/command.ts';
import { check } from '#core/schema/check.ts';
import { OPPORTUNITY_STATUSES, statusChange } from '../../opportunities/opportunity.schema.ts';
import type { AdminContext } from '../open-admin.ts';
import { given, valueOf, viewOfOwner } from './answers.ts';

const setStatus = defineCommand<AdminContext>()({
  path: 'admin opportunity set-status',
  summary: 'Set the status of an opportunity',
  arguments: ['id', 'status'],
  argumentChoices: { status: OPPORTUNITY_STATUSES },
  options: {
    lostReason: { flag: '--lost-reason <reason>', help: 'reason for the loss' },
  },
  examples: [
    'frontdesk admin opportunity set-status 0198c0de-… won',
    'frontdesk admin opportunity set-status 0198c0de-… lost --lost-reason "too expensive"',
  ],
  context: 'service',
  async run(context, { id, status, lostReason }) {
    const change = check(statusChange, given({ status, lostReason }), 'body');
    const owner = { table: 'opportunities', noun: 'opportunity', id } as const;
    const { subAccountId } = await viewOfOwner(context, owner);
    const row = await context.transact(
      subAccountId,
      context.actor,
      (work) => markOpportunity(work, id.toLowerCase(), change),
      (view) => readOpportunity(view, id.toLowerCase()),
    );
    const json: { name: string; status: string } = valueOf(row);
    return { json, text: `${json.name} is ${json.status}` };
  },
});

export const opportunityCommands = [setStatus];
