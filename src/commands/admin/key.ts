import { findSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { parsePolicy, type AgentPolicy } from '#core/agent.ts';
import { defineCommand, type Option } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { rateText } from '#core/rate-limit.ts';
import { SCOPES } from '#core/scope.ts';
import type { Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { readEnvironment } from '#platform/config/environment.ts';
import { findKeys, type KeyRow } from '../../accounts/keys/api-key.store.ts';
import { createKey } from '../../accounts/keys/create-key.ts';
import { revokeKey } from '../../accounts/keys/revoke-key.ts';
import { rotateKey } from '../../accounts/keys/rotate-key.ts';
import { setAgentPolicy } from '../../accounts/keys/set-agent-policy.ts';
import { setKeyScopes } from '../../accounts/keys/set-key-scopes.ts';
import type { AdminContext } from '../open-admin.ts';
import { knownKey } from './known-key.ts';
import { existing, readScopes, readName, readRate, readTime, readDurationMs } from './answers.ts';

const list = defineCommand<AdminContext>()({
  path: 'admin key list',
  summary: 'List API keys, newest first',
  options: {
    subAccount: { flag: '--sub-account <sub>', help: 'only keys of this sub-account' },
  },
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
  options: {},
  examples: ['frontdesk admin key show 0198c0de-…'],
  context: 'service',
  async run({ openView, clock }, { id }) {
    const row = await knownKey(openView(AGENCY, clock()), id);
    const { rateRead: read, rateWrite: write } = readEnvironment(withEnvironmentFile(process.env));
    const table = {
      ...row,
      rateRead: row.rateRead ?? `${rateText(read)} (default)`,
      rateWrite: row.rateWrite ?? `${rateText(write)} (default)`,
    };
    return { json: row, table };
  },
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
    const { row } = await changeKey(context, id, (work, keyId) => revokeKey(work, { keyId }));
    return { json: row, text: `revoked key ${row.name} (${row.prefix}…)` };
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
    const { row } = await changeKey(context, id, (work, keyId) =>
      setKeyScopes(work, { keyId, scopes: set }),
    );
    return { json: row };
  },
});

const agentOption = {
  flag: '--agent <policy>',
  help: 'what agents may do, per risk: allow, ask or deny (default: destroys=ask,mass=ask)',
  label: 'Agent policy',
  parse: readPolicy,
} as const satisfies Option;

function readPolicy(given: string): Partial<AgentPolicy> {
  const policy = parsePolicy(given);
  if (typeof policy === 'string') {
    throw new UsageFault(`--agent: ${policy}`);
  }
  return policy;
}

const policy = defineCommand<AdminContext>()({
  path: 'admin key policy',
  summary: 'Change what agents may do with an API key',
  arguments: ['id'],
  options: { agent: { ...agentOption, required: true } },
  examples: ['frontdesk admin key policy 0198c0de-… --agent tells=allow,destroys=ask,mass=deny'],
  context: 'service',
  async run(context, { id, agent: agentPolicy }) {
    const { row } = await changeKey(context, id, (work, keyId) =>
      setAgentPolicy(work, { keyId, agentPolicy }),
    );
    return { json: row };
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
      help: 'comma-separated list of scopes, or all',
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

const rotateKeyCommand = defineCommand<AdminContext>()({
  path: 'admin key rotate',
  summary: 'Replace the value of an API key and show the new one once',
  arguments: ['id'],
  options: {
    grace: {
      flag: '--grace <duration>',
      help: 'how long the old value keeps working, for example 24h (default: not at all)',
      parse: readDurationMs,
    },
  },
  examples: [
    'frontdesk admin key rotate 0198c0de-… --grace 24h',
    'frontdesk admin key rotate 0198c0de-… --yes',
  ],
  confirm: ({ id, grace }) => (grace === undefined ? `Rotate API key ${id}?` : undefined),
  async question({ openView, clock }, { id }) {
    const { name, prefix } = await knownKey(openView(AGENCY, clock()), id);
    return {
      text: `Rotate API key ${name} (${prefix}…) without --grace? Its current value is refused at once.`,
    };
  },
  context: 'service',
  async run(context, { id, grace: graceMs }) {
    const { row, outcome } = await changeKey(context, id, (work, keyId) =>
      rotateKey(work, { keyId, graceMs }),
    );
    const until = row.previousExpiresAt;
    const done = `rotated key ${row.name}; its old value ${until ? `works until ${until}` : 'is refused now'}`;
    const { id: keyId, ...rest } = row;
    return {
      json: { id: keyId, key: outcome.key, ...rest },
      text: valueText(done, outcome.key),
    };
  },
});

export const keyCommands = [createKeyCommand, list, show, revoke, scopes, policy, rotateKeyCommand];

/** A changed key, and the result of the change. */
interface ChangedKey<R> {
  readonly row: KeyRow;
  readonly outcome: R;
}

/** Changes a key in its sub-account, or in the agency. */
async function changeKey<R>(
  { openView, clock, transact, actor }: AdminContext,
  id: string,
  change: (work: Work, keyId: string) => Promise<R>,
): Promise<ChangedKey<R>> {
  const { id: keyId, subAccountId } = await knownKey(openView(AGENCY, clock()), id);
  const changed = (work: Work) => change(work, keyId);
  return transact(subAccountId ?? AGENCY, actor, changed, async (view, outcome) => ({
    row: await knownKey(view, keyId),
    outcome,
  }));
}

const valueText = (done: string, value: string): string =>
  `${done}\n\n  ${value}\n\nThis is shown once. Frontdesk keeps only a hash of it, so store it now.`;
