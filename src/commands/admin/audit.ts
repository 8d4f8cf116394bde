import { defineCommand } from '#kit/command.ts';
import { AGENCY } from '#kit/id.ts';
import { findAudit } from '../../accounts/find-audit.ts';
import { findSubAccount } from '../../accounts/find-sub-accounts.ts';
import type { AdminContext } from '../context.ts';
import { existing, readCount } from './answers.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;

const list = defineCommand<AdminContext>()({
  path: 'admin audit list',
  summary: 'Show who changed what, the last change first',
  options: {
    subAccount: { flag: '--sub-account <sub>', help: 'only changes in this sub-account' },
    limit: {
      flag: '--limit <n>',
      help: `how many, ${LIMIT_DEFAULT} unless given`,
      parse: readCount(LIMIT_MAX),
    },
  },
  examples: ['frontdesk admin audit list', 'frontdesk admin audit list --sub-account 0198c0de-…'],
  context: 'service',
  async run({ openView, clock }, { subAccount, limit = LIMIT_DEFAULT }) {
    const view = openView(AGENCY, clock());
    if (subAccount !== undefined) {
      existing(await findSubAccount(view, subAccount), 'sub-account', subAccount);
    }
    const rows = await findAudit(view, { subAccountId: subAccount, limit });
    const table = rows.map(({ at, actor, keyPrefix, operation, recordId }) => {
      return { at, by: keyPrefix ?? actor, operation, recordId };
    });
    return { json: rows, table };
  },
});

export const auditCommands = [list];
