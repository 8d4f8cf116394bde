import {
  unsuppressAddress,
  suppressAddress,
  findSuppressions,
  type SuppressionRow,
} from '../../../contacts/consent/suppressions.ts';
import { defineCommand } from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import type { AdminContext } from '../../open-admin.ts';
import { liveSubAccount, readEmail, subAccountOption } from '../answers.ts';

const CHANNEL = 'email';

const email = { flag: '--email <address>', help: 'email address', parse: readEmail } as const;

const shown = (rows: readonly SuppressionRow[]) =>
  rows.map(({ address, ...row }) => ({ email: address, ...row }));

const list = defineCommand<AdminContext>()({
  path: 'admin suppression list',
  summary: 'List suppressed email addresses, newest first',
  options: { subAccount: subAccountOption, email: { ...email, help: 'only this address' } },
  examples: ['frontdesk admin suppression list --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, answers) {
    const view = context.openView(
      (await liveSubAccount(context, answers.subAccount)).id,
      context.clock(),
    );
    const rows = await findSuppressions(view, { channel: CHANNEL, address: answers.email });
    return { json: shown(rows) };
  },
});

const add = defineCommand<AdminContext>()({
  path: 'admin suppression add',
  summary: 'Stop all mail to an address',
  options: { subAccount: subAccountOption, email: { ...email, required: true } },
  examples: ['frontdesk admin suppression add --sub-account 0198c0de-… --email jo@example.com'],
  context: 'service',
  async run(context, { subAccount: sub, email: address }) {
    const rows = await context.transact(
      (await liveSubAccount(context, sub)).id,
      context.actor,
      (work) => suppressAddress(work, { channel: CHANNEL, address, reason: 'manual' }),
      (view) => findSuppressions(view, { channel: CHANNEL, address }),
    );
    return { json: shown(rows) };
  },
});

const remove = defineCommand<AdminContext>()({
  path: 'admin suppression remove',
  summary: 'Allow mail to an address again',
  options: { subAccount: subAccountOption, email: { ...email, required: true } },
  examples: ['frontdesk admin suppression remove --sub-account 0198c0de-… --email jo@example.com'],
  context: 'service',
  async run(context, { subAccount: sub, email: address }) {
    const id = (await liveSubAccount(context, sub)).id;
    const before = await findSuppressions(context.openView(id, context.clock()), {
      channel: CHANNEL,
      address,
    });
    const gone = await context.transact(id, context.actor, (work) =>
      unsuppressAddress(work, { channel: CHANNEL, address }),
    );
    if (!gone) {
      throw new Fault('NOT_FOUND', `${address} is not suppressed`);
    }
    return { json: shown(before), text: `${address} can receive mail again` };
  },
});

export const suppressionCommands = [list, add, remove];
