import { defineCommand } from '#core/command.ts';
import { listSubmissions } from '../../forms/submissions/find-submissions.ts';
import type { AdminContext } from '../open-admin.ts';
import { liveSubAccount, subAccountOption, limitOption } from './answers.ts';

const LIMIT_DEFAULT = 1_000;
const LIMIT_MAX = 100_000;

const submissions = defineCommand<AdminContext>()({
  path: 'admin form submissions',
  summary: 'List form submissions, newest first',
  options: {
    subAccount: subAccountOption,
    form: { flag: '--form <key>', help: 'only this form, by its key in the manifest' },
    limit: limitOption(LIMIT_DEFAULT, LIMIT_MAX),
  },
  examples: [
    'frontdesk admin form submissions --sub-account 0198c0de-…',
    'frontdesk admin form submissions --sub-account 0198c0de-… --form contact --json',
  ],
  context: 'service',
  async run(context, { subAccount, form, limit = LIMIT_DEFAULT }) {
    const { id } = await liveSubAccount(context, subAccount);
    const rows = await listSubmissions(context.openView(id, context.clock()), { form, limit });
    const table = rows.map(({ createdAt, form: key, fields }) => {
      return { createdAt, form: key, fields: JSON.stringify(fields) };
    });
    return { json: rows, table, limit };
  },
});

export const formCommands = [submissions];
