import { defineCommand } from '#core/command.ts';
import { findExternal } from '../../calendars/external/external-setup.ts';
import type { AdminContext } from '../context.ts';
import { liveSubAccount } from './live-sub-account.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin calendar external',
  summary: 'List the external calendars of team members with their last answer and error',
  options: {
    subAccount: { flag: '--sub-account <sub>', help: 'ID of the sub-account', required: true },
  },
  examples: ['frontdesk admin calendar external --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { subAccount }) {
    const { id } = await liveSubAccount(context, subAccount);
    const rows = await findExternal(context.openView(id, context.clock()));
    const table = rows.map(({ member, type, answeredAt, failingSince, lastError, busyTimes }) => {
      return { member, type, answeredAt, busyTimes, failingSince, lastError };
    });
    return { json: rows, table };
  },
});

export const calendarExternalCommands = [list];
