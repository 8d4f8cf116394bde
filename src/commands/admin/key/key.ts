import { findKeys } from '../../../accounts/keys/api-key.store.ts';
import { defineCommand } from '#core/command.ts';
import { SCOPES } from '#core/scope.ts';
import { AGENCY } from '#lib/id.ts';
import { revokeKey } from '../../../accounts/keys/revoke-key.ts';
import { setKeyScopes } from '../../../accounts/keys/set-key-scopes.ts';
import { findSubAccount } from '../../../accounts/sub-accounts/sub-account.store.ts';
import type { AdminContext } from '../../open-admin.ts';
import { existing, readScopes } from '../answers.ts';
import { createKeyCommand } from './create-key.ts';
import { changeKey, knownKey } from './known-key.ts';
import { rotateKeyCommand } from './rotate-key.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin key list',
  summary: 'List API keys, newest first',
  options: {
    subAccount: { flag: '--sub-account <sub>', help: 'only those of this sub-account' },
  },
  examples: ['frontdesk admin key list', 'frontdesk admin key list --sub-account 0198c0de-…'],
  context: 'service',
  async run({ openView, clock }, { subAccount }) {
    const view = openView(AGENCY, clock());
    if (subAccount !== undefined) {
      existing(await findSubAccount(view, subAccount), 'sub-account', subAccount);
    }
    const rows = await findKeys(view, subAccount);
    const table = rows.map(({ id, name, prefix, state, scopes, expiresAt, lastUsedAt }) => {
      const granted = scopes.length === SCOPES.length ? 'all' : scopes.length;
      return { id, name, prefix, state, scopes: granted, expiresAt, lastUsedAt };
    });
    return { json: rows, table };
  },
});

const show = defineCommand<AdminContext>()({
  path: 'admin key show',
  summary: 'Show an API key without its value, which is not stored',
  arguments: ['id'],
  options: {},
  examples: ['frontdesk admin key show 0198c0de-…'],
  context: 'service',
  run: async ({ openView, clock }, { id }) => ({
    json: await knownKey(openView(AGENCY, clock()), id),
  }),
});

const revoke = defineCommand<AdminContext>()({
  path: 'admin key revoke',
  summary: 'Revoke an API key permanently',
  arguments: ['id'],
  options: {},
  examples: ['frontdesk admin key revoke 0198c0de-… --yes'],
  confirm: ({ id }) => `Revoke API key ${id}?`,
  async question({ openView, clock }, { id }) {
    const { name, prefix } = await knownKey(openView(AGENCY, clock()), id);
    return { text: `Revoke API key ${name} (${prefix}…)? Requests with it are refused at once.` };
  },
  context: 'service',
  async run(context, { id }) {
    const { row } = await changeKey(context, id, (work) => revokeKey(work, { keyId: id }));
    return { json: row, text: `revoked the key ${row.name} (${row.prefix}…)` };
  },
});

const scopes = defineCommand<AdminContext>()({
  path: 'admin key scopes',
  summary: 'Replace the scopes of an API key; its value does not change',
  arguments: ['id'],
  options: {
    set: {
      flag: '--set <scopes>',
      help: 'comma-separated list of scopes, or all',
      label: 'Scopes',
      required: true,
      ask: 'checkbox',
      choices: SCOPES,
      parse: readScopes,
    },
  },
  examples: ['frontdesk admin key scopes 0198c0de-… --set contacts:read,tasks:read'],
  context: 'service',
  async run(context, { id, set }) {
    const { row } = await changeKey(context, id, (work) =>
      setKeyScopes(work, { keyId: id, scopes: set }),
    );
    return { json: row };
  },
});

export const keyCommands = [createKeyCommand, list, show, revoke, scopes, rotateKeyCommand];
