import { knownList } from '../../../campaigns/lists/list.store.ts';
import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import { counted } from '#lib/counted.ts';
import { AGENCY } from '#lib/id.ts';
import { resendUnknowns } from '../../../campaigns/audience/resend-unknowns.ts';
import { campaignCreate } from '../../../campaigns/campaign.schema.ts';
import { createCampaign } from '../../../campaigns/create-campaign.ts';
import { dispatchDue } from '../../../campaigns/dispatch-campaigns.ts';
import { listRecurring } from '../../../campaigns/recurring/list-recurring.ts';
import { runRecurring } from '../../../campaigns/recurring/run-recurring.ts';
import { findUnknowns, listAllCampaigns } from '../../../campaigns/list-all-campaigns.ts';
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  unscheduleCampaign,
} from '../../../campaigns/pause-resume-cancel.ts';
import type { AdminContext } from '../../open-admin.ts';
import {
  previewLink,
  previewCampaign,
  watchCampaign,
  changeCampaign,
  knownCampaign,
  shownCampaign,
} from './known-campaign.ts';
import {
  given,
  readEmail,
  readEmails,
  liveSubAccount,
  onlySubAccount,
  subAccountOption,
} from '../answers.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin campaign list',
  summary: 'List campaigns, newest first',
  options: { subAccount: onlySubAccount('campaigns') },
  examples: ['frontdesk admin campaign list --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { subAccount }) {
    if (subAccount !== undefined) {
      await liveSubAccount(context, subAccount);
    }
    const view = context.openView(AGENCY, context.clock());
    const rows = await listAllCampaigns(view, { subAccountId: subAccount });
    const table = rows.map(({ id, name, status, problem, scheduledAt, startedAt }) => {
      return { id, name, status, startedAt, scheduledAt, problem };
    });
    return { json: rows, table };
  },
});

const show = defineCommand<AdminContext>()({
  path: 'admin campaign show',
  summary: 'Show a campaign and its progress',
  arguments: ['id'],
  options: {
    watch: { flag: '--watch', help: 'show a progress bar until all recipients are processed' },
  },
  examples: [
    'frontdesk admin campaign show 0198c0de-…',
    'frontdesk admin campaign show 0198c0de-… --watch',
  ],
  context: 'service',
  async run(context, { id, watch }, switches) {
    if (watch) {
      await watchCampaign(context, id, switches);
    }
    const shown = await shownCampaign(context, id);
    const row = { ...shown, previewUrl: previewLink(context, shown) };
    return { json: row };
  },
});

const CHANNELS = ['email', 'sms'] as const;

const create = defineCommand<AdminContext>()({
  path: 'admin campaign create',
  summary: 'Create a campaign as a draft; nothing is sent',
  options: {
    subAccount: subAccountOption,
    name: { flag: '--name <name>', help: 'name shown to the team', required: true },
    subject: {
      flag: '--subject <subject>',
      help: 'subject; may contain merge fields',
      required: true,
    },
    layout: { flag: '--layout <name>', help: 'name of a mail template', required: true },
    contentHtml: {
      flag: '--content-html <html>',
      label: 'Content (HTML)',
      help: 'HTML placed into the layout',
      required: true,
    },
    preheader: {
      flag: '--preheader <text>',
      help: 'preview text that inboxes show after the subject',
    },
    list: { flag: '--list <key>', help: "key of a list (default: the layout's default list)" },
    channel: {
      flag: '--channel <channel>',
      help: 'channel; campaigns can be sent by email only (default: email)',
      choices: CHANNELS,
    },
  },
  examples: [
    'frontdesk admin campaign create --sub-account 0198c0de-… --name Spring --subject "Hello {{firstName}}" --layout Newsletter --content-html "<p>…</p>" --list clients',
  ],
  context: 'service',
  async run(context, { subAccount, list: key, channel = 'email', ...fields }) {
    const { id: owner } = await liveSubAccount(context, subAccount);
    const listId =
      key === undefined
        ? undefined
        : (await knownList(context.openView(owner, context.clock()), key)).id;
    const input = check(campaignCreate, given({ ...fields, listId }), 'body');
    const id = await context.transact(owner, context.actor, (work) =>
      createCampaign(work, { ...input, channel: channel === 'sms' ? 'sms' : 'email' }),
    );
    const row = await shownCampaign(context, id);
    return { json: row, text: `created campaign ${row.name} as a draft (${id})` };
  },
});

const changing = (word: string, summary: string, change: typeof pauseCampaign) =>
  defineCommand<AdminContext>()({
    path: `admin campaign ${word}`,
    summary,
    arguments: ['id'],
    examples: [`frontdesk admin campaign ${word} 0198c0de-…`],
    context: 'service',
    run: (context, { id }) => changed(context, id, change),
  });

async function changed(context: AdminContext, id: string, change: typeof pauseCampaign) {
  const { row } = await changeCampaign(context, id, change);
  return { json: row, text: `${row.name} is ${row.status}` };
}

const pause = changing('pause', 'Pause a campaign', pauseCampaign);
const resume = changing('resume', 'Resume a paused campaign', resumeCampaign);
const unschedule = changing(
  'unschedule',
  'Return a scheduled campaign to draft, to change it or to schedule it for another time',
  unscheduleCampaign,
);

const cancel = defineCommand<AdminContext>()({
  path: 'admin campaign cancel',
  summary: 'Cancel a campaign; remaining recipients receive nothing',
  arguments: ['id'],
  examples: ['frontdesk admin campaign cancel 0198c0de-… --yes'],
  confirm: ({ id }) => `Cancel campaign ${id}?`,
  async question(context, { id }) {
    const { name } = await knownCampaign(context, id);
    return { text: `Cancel campaign ${name}? It cannot be resumed.` };
  },
  context: 'service',
  run: (context, { id }) => changed(context, id, cancelCampaign),
});

const preview = defineCommand<AdminContext>()({
  path: 'admin campaign preview',
  summary: 'Send a preview of a campaign to one address',
  arguments: ['id'],
  options: {
    to: {
      flag: '--to <address>',
      label: 'Email',
      help: 'address to send the preview to',
      required: true,
      parse: readEmail,
    },
  },
  examples: ['frontdesk admin campaign preview 0198c0de-… --to me@example.com'],
  context: 'service',
  async run(context, { id, to }) {
    await previewCampaign(context, await knownCampaign(context, id), to);
    return { json: { id, to, sent: true }, text: `sent a preview to ${to}` };
  },
});

const unknowns = defineCommand<AdminContext>()({
  path: 'admin campaign unknowns',
  summary: 'List recipients whose delivery is unknown',
  arguments: ['id'],
  examples: ['frontdesk admin campaign unknowns 0198c0de-…'],
  context: 'service',
  async run(context, { id }) {
    const campaign = await knownCampaign(context, id);
    const view = context.openView(campaign.subAccountId, context.clock());
    return { json: await findUnknowns(view, campaign) };
  },
});

const resend = defineCommand<AdminContext>()({
  path: 'admin campaign resend',
  summary: 'Send again to recipients whose delivery is unknown',
  arguments: ['id'],
  options: {
    email: { flag: '--email <address...>', help: 'only to these addresses', parse: readEmails },
    unknowns: { flag: '--unknowns', help: 'to all of these recipients' },
  },
  examples: [
    'frontdesk admin campaign resend 0198c0de-… --email jo@example.com',
    'frontdesk admin campaign resend 0198c0de-… --unknowns',
  ],
  confirm: ({ id }) => `Resend campaign ${id}?`,
  async question(context, { id }) {
    const { name } = await knownCampaign(context, id);
    return { text: `Resend campaign ${name}? Some recipients may get it twice.` };
  },
  context: 'service',
  async run(context, { id, email, unknowns: all = false }) {
    if ((email !== undefined) === all) {
      throw new UsageFault('give either --email or --unknowns');
    }
    const { row, outcome } = await changeCampaign(context, id, (work, known) =>
      resendUnknowns(work, known, email),
    );
    return {
      json: { ...row, resent: outcome },
      text: `queued ${counted(outcome, 'recipient')} again`,
    };
  },
});

const dispatch = defineCommand<AdminContext>()({
  path: 'admin campaign dispatch-due',
  summary: 'Start due campaigns, as workers do; for cron or a systemd timer',
  examples: ['frontdesk admin campaign dispatch-due'],
  context: 'service',
  async run(context) {
    await runRecurring(context, context.actor);
    const rows = await dispatchDue(context, context.actor);
    return { json: rows, ...(rows.length === 0 && { text: 'nothing is due' }) };
  },
});

const recurring = defineCommand<AdminContext>()({
  path: 'admin campaign recurring list',
  summary: 'List recurring campaigns with their next and last run',
  options: { subAccount: onlySubAccount('those') },
  examples: ['frontdesk admin campaign recurring list --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { subAccount }) {
    const owner = subAccount && (await liveSubAccount(context, subAccount)).id;
    const rows = await listRecurring(context.openView(AGENCY, context.clock()), owner);
    const table = rows.map(({ key, name, repeat, timezone, active, nextRunAt, ...last }) => {
      const { lastRunAt, lastError } = last;
      return { key, name, repeat, timezone, active, nextRunAt, lastRunAt, lastError };
    });
    return { json: rows, table };
  },
});

export const campaignCommands = [
  list,
  show,
  create,
  pause,
  resume,
  unschedule,
  cancel,
  preview,
  unknowns,
  resend,
  recurring,
  dispatch,
];
