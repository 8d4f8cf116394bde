import { defineCommand } from '#core/command.ts';
import type { AdminContext } from '../context.ts';
import { readTime } from './answers.ts';
import { knownOffer } from './known-offer.ts';
import { liveSubAccount } from './live-sub-account.ts';

const subAccount = {
  flag: '--sub-account <sub>',
  help: 'ID of the sub-account',
  required: true,
} as const;
const type = {
  flag: '--type <key>',
  label: 'Appointment type',
  help: 'key or ID of the appointment type',
  required: true,
} as const;

const explain = defineCommand<AdminContext>()({
  path: 'admin calendar explain',
  summary: 'Explain why a start time can or cannot be booked',
  options: {
    subAccount,
    type,
    at: {
      flag: '--at <time>',
      label: 'Start time',
      help: 'ISO 8601, for example 2026-12-01T09:00:00+01:00',
      required: true,
      parse: readTime,
    },
  },
  examples: [
    'frontdesk admin calendar explain --sub-account 0198c0de-… --type checkup-30 --at 2026-12-01T09:00:00+01:00',
  ],
  context: 'service',
  async run(context, { subAccount: sub, type: name, at }) {
    const { id } = await liveSubAccount(context, sub);
    const view = context.openView(id, context.clock());
    const offer = await knownOffer(view, name);
    const { explainStart } = await import('../../booking/availability/explain-start.ts');
    const { refusal, sentence } = await explainStart(view, offer, at.getTime());
    const { timezone } = offer.calendar;
    const json = { appointmentTypeId: offer.type.id, at: at.toISOString(), timezone };
    return {
      json: { ...json, bookable: refusal === null, reason: refusal, sentence },
      text: sentence,
    };
  },
});

const rehearsal = defineCommand<AdminContext>()({
  path: 'admin calendar rehearse',
  summary: 'Show the slots around the next two daylight-saving changes',
  options: { subAccount, type },
  examples: ['frontdesk admin calendar rehearse --sub-account 0198c0de-… --type checkup-30'],
  context: 'service',
  async run(context, { subAccount: sub, type: name }) {
    const { id } = await liveSubAccount(context, sub);
    const view = context.openView(id, context.clock());
    const offer = await knownOffer(view, name);
    const { printClockChanges: tellRehearsal } = await import('./print-clock-changes.ts');
    return tellRehearsal(view, offer);
  },
});

export const calendarCommands = [explain, rehearsal];
