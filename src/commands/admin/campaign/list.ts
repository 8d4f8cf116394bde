import { defineCommand } from '#core/command.ts';
import { addToList } from '../../../campaigns/lists/add-to-list.ts';
import type { AdminContext } from '../../open-admin.ts';
import { readEmails, liveSubAccount, subAccountOption } from '../answers.ts';

const add = defineCommand<AdminContext>()({
  path: 'admin list add',
  summary: 'Add contacts to a static list by email',
  arguments: ['key'],
  options: {
    subAccount: subAccountOption,
    email: {
      flag: '--email <address...>',
      help: 'email of a contact; may be repeated',
      required: true,
      parse: readEmails,
    },
  },
  examples: ['frontdesk admin list add chosen --sub-account 0198c0de-… --email jo@example.com'],
  context: 'service',
  async run(context, { key, subAccount, email }) {
    const { id } = await liveSubAccount(context, subAccount);
    const rows = await context.transact(id, context.actor, (work) => addToList(work, key, email));
    return { json: rows };
  },
});

export const listCommands = [add];
