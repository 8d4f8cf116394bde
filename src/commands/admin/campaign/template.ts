import { defineCommand } from '#core/command.ts';
import { listTemplates } from '../../../campaigns/compose/list-templates.ts';
import type { AdminContext } from '../../open-admin.ts';
import { subAccountOption, viewOf } from '../answers.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin template list',
  summary: 'List mail templates by key',
  options: { subAccount: subAccountOption },
  examples: [
    'frontdesk admin template list --sub-account 0198c0de-…',
    'frontdesk admin template list --sub-account 0198c0de-… --json',
  ],
  context: 'service',
  async run(context, { subAccount }) {
    const rows = await listTemplates(await viewOf(context, subAccount));
    const table = rows.map(({ key, name, defaultList, updatedAt, id }) => {
      return { key, name, defaultList, updatedAt, id };
    });
    return { json: rows, table };
  },
});

export const templateCommands = [list];
