import { findSubAccount } from '../../../accounts/sub-accounts/sub-account.store.ts';
import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { SCOPES } from '#core/scope.ts';
import { AGENCY } from '#lib/id.ts';
import { findKeys } from '../../../accounts/keys/api-key.store.ts';
import { createKey } from '../../../accounts/keys/create-key.ts';
import type { AdminContext } from '../../open-admin.ts';
import { existing, onlySubAccount, readName, readRate, readScopes, readTime } from '../answers.ts';
import { agentOption, keyChangeCommands, knownKey, shownKey, valueText } from './key-changes.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin key list',
  summary: 'List API keys, newest first',
  options: { subAccount: onlySubAccount('keys') },
  examples: ['frontdesk admin key list', 'frontdesk admin key list --sub-account 0198c0de-…'],
  context: 'service',
  async run({ openView, clock }, { subAccount }) {
    const view = openView(AGENCY, clock());
    if (subAccount !== undefined) {
      existing(await findSubAccount(view, subAccount), 'sub-account', subAccount);
    }
    const rows = await findKeys(view, subAccount);
    const table = rows.map(({ id, name, prefix, state, scopes, expiresAt, lastUsedAt, ...row }) => {
      const granted = scopes.length === SCOPES.length ? 'all' : scopes.length;
      const oldValue = row.previousExpiresAt && `${row.previousPrefix} works`;
      const { previousExpiresAt, previousUsedAt } = row;
      const grace = row.previousExpiresAt ? { oldValue, previousExpiresAt, previousUsedAt } : {};
      return { prefix, name, state, lastUsedAt, ...grace, expiresAt, scopes: granted, id };
    });
    return { json: rows, table };
  },
});

const show = defineCommand<AdminContext>()({
  path: 'admin key show',
  summary: 'Show an API key without its value, which is not stored',
  arguments: ['id'],
  examples: ['frontdesk admin key show 0198c0de-…'],
  context: 'service',
  async run({ openView, clock }, { id }) {
    const row = await knownKey(openView(AGENCY, clock()), id);
    return { json: row, table: shownKey(row) };
  },
});

const createKeyCommand = defineCommand<AdminContext>()({
  path: 'admin key create',
  summary: 'Create an API key and show its value once',
  options: {
    subAccount: {
      flag: '--sub-account <sub>',
      help: 'ID of the sub-account that the key belongs to',
      askUnless: 'agency',
    },
    agency: { flag: '--agency', help: 'key for all live sub-accounts' },
    sandbox: { flag: '--sandbox', help: 'with --agency: key for all sandbox sub-accounts' },
    name: {
      flag: '--name <name>',
      help: 'what the key is used for',
      required: true,
      parse: readName,
    },
    scopes: {
      flag: '--scopes <scopes>',
      help: 'comma-separated list of scopes (see docs/api.md), or all',
      required: true,
      ask: 'checkbox',
      choices: SCOPES,
      parse: readScopes,
    },
    expires: {
      flag: '--expires <time>',
      help: 'expiry time, ISO 8601 (default: never)',
      parse: readTime,
    },
    rateRead: {
      flag: '--rate-read <rate>',
      help: 'read limit of the key, for example 600/1m',
      parse: readRate,
    },
    rateWrite: {
      flag: '--rate-write <rate>',
      help: 'write limit of the key, for example 300/1m',
      parse: readRate,
    },
    agent: agentOption,
  },
  examples: [
    'frontdesk admin key create --sub-account 0198c0de-… --name Website --scopes contacts:read,contacts:write',
    'frontdesk admin key create --agency --name Reporting --scopes all --expires 2027-01-31T00:00:00Z',
  ],
  context: 'service',
  async run(context, answers) {
    const { transact, openView, clock, actor } = context;
    const owner = ownerAmong(answers);
    const { name, scopes, expires: expiresAt, rateRead, rateWrite, sandbox } = answers;
    const { agent: agentPolicy } = answers;
    if (expiresAt && expiresAt <= clock()) {
      throw new UsageFault(
        `--expires: ${expiresAt.toISOString()} is in the past; give a future time`,
      );
    }
    if (owner !== AGENCY) {
      existing(await findSubAccount(openView(AGENCY, clock()), owner), 'sub-account', owner);
    }
    const { row, key } = await transact(
      owner,
      actor,
      (work) => {
        const limits = { expiresAt, rateRead, rateWrite, sandbox, agentPolicy };
        return createKey(work, { name, scopes, ...limits });
      },
      async (view, issued) => ({
        row: await knownKey(view, issued.apiKey.id),
        key: issued.key,
      }),
    );
    const { id, ...rest } = row;
    return { json: { id, key, ...rest }, text: valueText(`created key ${name} (${id})`, key) };
  },
});

interface Owner {
  readonly subAccount: string | undefined;
  readonly agency: boolean | undefined;
  readonly sandbox: boolean | undefined;
}

function ownerAmong({ subAccount, agency, sandbox }: Owner): string {
  if (agency && subAccount !== undefined) {
    throw new UsageFault('--agency and --sub-account exclude each other');
  }
  if (sandbox && !agency) {
    throw new UsageFault(
      '--sandbox needs --agency; the keys of a sandbox sub-account are sandbox keys anyway',
    );
  }
  if (!agency && subAccount === undefined) {
    throw new UsageFault('pass --sub-account <sub> or --agency');
  }
  return subAccount ?? AGENCY;
}

export const keyCommands = [createKeyCommand, list, show, ...keyChangeCommands];
