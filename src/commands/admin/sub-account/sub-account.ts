import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { AGENCY, newId } from '#lib/id.ts';
import { createSubAccount } from '../../../accounts/sub-accounts/create-sub-account.ts';
import { deleteSubAccount } from '../../../accounts/sub-accounts/delete-sub-account.ts';
import {
  findSubAccount,
  findSubAccounts,
} from '../../../accounts/sub-accounts/sub-account.store.ts';
import { updateSubAccount } from '../../../accounts/sub-accounts/update-sub-account.ts';
import { installationPlace } from '../../installation-place.ts';
import type { AdminContext } from '../../open-admin.ts';
import { existing, given, readCurrency, readName, readTimeZone } from '../answers.ts';

const settings = {
  timezone: {
    flag: '--timezone <zone>',
    help: 'IANA time zone, for example Europe/Berlin',
    parse: readTimeZone,
  },
  currency: {
    flag: '--currency <code>',
    help: 'ISO 4217 code, for example EUR',
    parse: readCurrency,
  },
} as const;

const show = async (view: View, id: string) =>
  existing(await findSubAccount(view, id), 'sub-account', id);

const create = defineCommand<AdminContext>()({
  path: 'admin sub-account create',
  summary: 'Create a sub-account',
  options: {
    name: {
      flag: '--name <name>',
      help: 'name shown to the team and to customers',
      required: true,
      parse: readName,
    },
    ...settings,
    sandbox: { flag: '--sandbox', help: 'create a sandbox: nothing is sent to real providers' },
  },
  examples: [
    'frontdesk admin sub-account create --name "Harbour Dental" --timezone Europe/Berlin --currency EUR',
    'frontdesk admin sub-account create --name Trial --sandbox',
  ],
  context: 'service',
  async run({ transact, clock, actor }, { name, timezone, currency, sandbox }) {
    const row = await transact(
      newId(clock()),
      actor,
      (work) => createSubAccount(work, { name, ...given({ timezone, currency, sandbox }) }),
      (view, { id }) => show(view, id),
    );
    return { json: row };
  },
});

const list = defineCommand<AdminContext>()({
  path: 'admin sub-account list',
  summary: 'List sub-accounts, newest first',
  examples: ['frontdesk admin sub-account list', 'frontdesk admin sub-account list --json'],
  context: 'service',
  anyKey: true,
  async run({ openView, clock }) {
    const rows = await findSubAccounts(openView(AGENCY, clock()));
    const table = rows.map(({ id, name, timezone, currency, sandbox }) => {
      return { id, name, timezone, sandbox, currency };
    });
    return { json: rows, table };
  },
});

const showOne = defineCommand<AdminContext>()({
  path: 'admin sub-account show',
  summary: 'Show a sub-account, including a deleted one',
  arguments: ['sub'],
  examples: ['frontdesk admin sub-account show 0198c0de-0000-7000-8000-000000000000'],
  context: 'service',
  run: async ({ openView, clock }, { sub }) => ({
    json: await show(openView(AGENCY, clock()), sub),
  }),
});

const update = defineCommand<AdminContext>()({
  path: 'admin sub-account update',
  summary: 'Change the name, time zone or currency of a sub-account',
  arguments: ['sub'],
  options: {
    name: {
      flag: '--name <name>',
      help: 'name shown to the team and to customers',
      parse: readName,
    },
    ...settings,
  },
  examples: ['frontdesk admin sub-account update 0198c0de-… --timezone Europe/Lisbon'],
  context: 'service',
  async run({ transact, openView, clock, actor }, { sub, name, timezone, currency }) {
    const changes = given({ name, timezone, currency });
    if (Object.keys(changes).length === 0) {
      throw new UsageFault('say what to change: --name, --timezone or --currency');
    }
    const { id } = await show(openView(AGENCY, clock()), sub);
    const row = await transact(
      id,
      actor,
      (work) => updateSubAccount(work, changes),
      (view) => show(view, id),
    );
    return { json: row };
  },
});

const remove = defineCommand<AdminContext>()({
  path: 'admin sub-account delete',
  summary: 'Delete a sub-account; its API keys stop working at once',
  arguments: ['sub'],
  examples: ['frontdesk admin sub-account delete 0198c0de-… --yes'],
  confirm: ({ sub }) => `Delete sub-account ${sub}?`,
  async question({ openView, clock }, { sub }) {
    const { name } = await show(openView(AGENCY, clock()), sub);
    const { text: place } = installationPlace();
    return {
      text: `Delete sub-account ${name}? Its API keys stop working at once; it is part of ${place}.`,
    };
  },
  context: 'service',
  async run({ transact, openView, clock, actor }, { sub }) {
    const { id, name } = await show(openView(AGENCY, clock()), sub);
    const row = await transact(id, actor, deleteSubAccount, (view) => show(view, id));
    return { json: row, text: `deleted ${name} (${id}); its API keys no longer work` };
  },
});

export const subAccountCommands = [create, list, showOne, update, remove];
