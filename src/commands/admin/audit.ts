import { defineCommand } from '#core/command.ts';
import { AGENCY } from '#lib/id.ts';
import { findAudit } from '../../accounts/audit/find-audit.ts';
import { findSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import type { AdminContext } from '../open-admin.ts';
import { existing, timeOption, LIMIT_DEFAULT, limitOption } from './answers.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin audit list',
  summary: 'List who changed what, newest first',
  options: {
    subAccount: { flag: '--sub-account <sub>', help: 'only changes in this sub-account' },
    request: { flag: '--request <id>', help: 'only changes of this request ID (X-Request-Id)' },
    key: { flag: '--key <key>', help: 'only changes by this API key, by its ID or prefix' },
    record: { flag: '--record <id>', help: 'only changes of this record' },
    since: timeOption('--since <time>', 'only changes from this time on'),
    until: timeOption('--until <time>', 'only changes before this time'),
    operation: {
      flag: '--operation <name>',
      help: 'only this operation, such as contacts.delete, or delete for those of all records',
    },
    limit: limitOption(),
  },
  examples: [
    'frontdesk admin audit list --sub-account 0198c0de-…',
    'frontdesk admin audit list --request 0b7c1f9e-…',
    'frontdesk admin audit list --key sk_live_abcd --since 2026-12-01T00:00:00Z',
    'frontdesk admin audit list --operation delete --since 2026-12-01T00:00:00Z --until 2026-12-02T00:00:00Z',
  ],
  context: 'service',
  async run(
    { openView, clock },
    { subAccount, request, key, record, since, until, operation, limit = LIMIT_DEFAULT },
  ) {
    const view = openView(AGENCY, clock());
    if (subAccount !== undefined) {
      existing(await findSubAccount(view, subAccount), 'sub-account', subAccount);
    }
    const rows = await findAudit(view, {
      subAccountId: subAccount,
      requestId: request,
      // Lists show prefixes with an ellipsis.
      key: key?.replace(/…$/, ''),
      recordId: record?.toLowerCase(),
      since,
      until,
      operation,
      limit,
    });
    const table = rows.map(({ at, actor, keyPrefix, operation, recordId }) => {
      return { at, by: keyPrefix ?? actor, operation, recordId };
    });
    const isRefused = request !== undefined && rows.length === 0;
    return isRefused ? { json: rows, text: changedNothing(request) } : { json: rows, table, limit };
  },
});

/** A refusal changes nothing: its reason is in the log alone. */
const changedNothing = (requestId: string): string =>
  `none: request ${requestId} changed nothing. If it was refused, the log of the server says why: search it for this id.`;

export const auditCommands = [list];
