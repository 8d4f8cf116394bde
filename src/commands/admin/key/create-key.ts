import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { SCOPES } from '#core/scope.ts';
import { AGENCY } from '#lib/id.ts';
import { createKey } from '../../../accounts/keys/create-key.ts';
import { findSubAccount } from '../../../accounts/sub-accounts/sub-account.store.ts';
import type { AdminContext } from '../../open-admin.ts';
import { existing, readName, readRate, readScopes, readTime } from '../answers.ts';
import { knownKey, valueText } from './known-key.ts';

export const createKeyCommand = defineCommand<AdminContext>()({
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
      help: 'comma-separated list of scopes, or all',
      required: true,
      ask: 'checkbox',
      choices: SCOPES,
      parse: readScopes,
    },
    expires: {
      flag: '--expires <time>',
      help: 'expiry time, ISO 8601; by default the key does not expire',
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
    if (expiresAt && expiresAt <= clock()) {
      throw new UsageFault(`--expires: ${expiresAt.toISOString()} lies in the past`);
    }
    if (owner !== AGENCY) {
      existing(await findSubAccount(openView(AGENCY, clock()), owner), 'sub-account', owner);
    }
    const { row, key } = await transact(
      owner,
      actor,
      (work) => createKey(work, { name, scopes, expiresAt, rateRead, rateWrite, sandbox }),
      async (view, issued) => ({
        row: await knownKey(view, issued.apiKey.id),
        key: issued.key,
      }),
    );
    const { id, ...rest } = row;
    const said = `created the key ${name} (${id})`;
    return { json: { id, key, ...rest }, text: valueText(said, key) };
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
      '--sandbox goes with --agency; a sub-account was made a sandbox or not, and its keys follow',
    );
  }
  if (!agency && subAccount === undefined) {
    throw new UsageFault('say whose key it is: --sub-account <sub> or --agency');
  }
  return subAccount ?? AGENCY;
}
