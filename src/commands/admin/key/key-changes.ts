import { parsePolicy, type AgentPolicy } from '#core/agent.ts';
import { defineCommand, type Option } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { rateText } from '#core/rate-limit.ts';
import { SCOPES } from '#core/scope.ts';
import type { Work, View } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { processEnvironment } from '#platform/config/environment-file.ts';
import { type KeyRow, findKey, findKeys } from '../../../accounts/keys/api-key.store.ts';
import { revokeKey } from '../../../accounts/keys/revoke-key.ts';
import { endOldValue, rotateKey } from '../../../accounts/keys/rotate-key.ts';
import { setAgentPolicy } from '../../../accounts/keys/set-agent-policy.ts';
import { setKeyRates } from '../../../accounts/keys/set-key-rates.ts';
import { setKeyScopes } from '../../../accounts/keys/set-key-scopes.ts';
import type { AdminContext } from '../../open-admin.ts';
import { readDurationMs, readRate, readScopes, existing } from '../answers.ts';

const revoke = defineCommand<AdminContext>()({
  path: 'admin key revoke',
  summary: 'Revoke an API key permanently, or only its old value, named by its prefix',
  arguments: ['id'],
  examples: ['frontdesk admin key revoke 0198c0de-… --yes'],
  confirm: ({ id }) => `Revoke API key ${id}?`,
  async question({ openView, clock }, { id }) {
    const key = await knownKey(openView(AGENCY, clock()), id);
    return {
      text: isOldPrefix(id, key)
        ? `End the old value (${key.previousPrefix}…) of API key ${key.name}? Requests with it are refused at once; the new value (${key.prefix}…) keeps working.`
        : `Revoke API key ${key.name} (${key.prefix}…)? Requests with it are refused at once.`,
    };
  },
  context: 'service',
  async run(context, { id }) {
    const before = await knownKey(context.openView(AGENCY, context.clock()), id);
    const isOld = isOldPrefix(id, before);
    const { row } = await changeKey(context, id, (work, keyId) =>
      isOld ? endOldValue(work, { keyId, prefix: prefixIn(id) }) : revokeKey(work, { keyId }),
    );
    const text = isOld
      ? `ended the old value (${row.previousPrefix}…) of key ${row.name}; the new value (${row.prefix}…) keeps working`
      : `revoked key ${row.name} (${row.prefix}…)`;
    return { json: row, text };
  },
});

/** Whether the command names a key by the prefix of the value before its last rotation. */
const isOldPrefix = (given: string, { prefix, previousPrefix }: KeyRow): boolean =>
  prefixIn(given) === previousPrefix && previousPrefix !== prefix;

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
    return { json: row, table: shownKey(row) };
  },
});

const rates = defineCommand<AdminContext>()({
  path: 'admin key rates',
  summary: 'Change the rates of an API key; its value does not change',
  arguments: ['id'],
  options: {
    rateRead: {
      flag: '--rate-read <rate>',
      help: 'read limit, for example 600/1m, or default',
      parse: readRateOrDefault,
    },
    rateWrite: {
      flag: '--rate-write <rate>',
      help: 'write limit, for example 300/1m, or default',
      parse: readRateOrDefault,
    },
  },
  examples: [
    'frontdesk admin key rates 0198c0de-… --rate-write 1200/1m',
    'frontdesk admin key rates 0198c0de-… --rate-read default --rate-write default',
  ],
  context: 'service',
  async run(context, { id, rateRead, rateWrite }) {
    if (rateRead === undefined && rateWrite === undefined) {
      throw new UsageFault('pass --rate-read <rate>, --rate-write <rate> or both');
    }
    const { row } = await changeKey(context, id, (work, keyId) =>
      setKeyRates(work, { keyId, rateRead, rateWrite }),
    );
    return { json: row, table: shownKey(row) };
  },
});

/** Returns a key for a reader: with the rates of the installation where it has none of its own. */
export function shownKey(row: KeyRow) {
  const { rateRead: read, rateWrite: write } = processEnvironment();
  return {
    ...row,
    rateRead: row.rateRead ?? `${rateText(read)} (default)`,
    rateWrite: row.rateWrite ?? `${rateText(write)} (default)`,
  };
}

/** Returns null for the rate of the installation. */
function readRateOrDefault(given: string): string | null {
  return given === 'default' ? null : readRate(given);
}

export const agentOption = {
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
    return { json: row, table: shownKey(row) };
  },
});

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
  confirmWhen: 'without `--grace`',
  confirm: ({ id, grace }) => (grace === undefined ? `Rotate API key ${id}?` : undefined),
  async question({ openView, clock }, { id }) {
    const key = await knownKey(openView(AGENCY, clock()), id);
    return {
      text: `Rotate API key ${key.name} (${key.prefix}…) without --grace? Its current value is refused at once${older(key)}.`,
    };
  },
  context: 'service',
  async run(context, { id, grace: graceMs }) {
    const before = await knownKey(context.openView(AGENCY, context.clock()), id);
    const { row, outcome } = await changeKey(context, id, (work, keyId) =>
      rotateKey(work, { keyId, graceMs }),
    );
    const until = row.previousExpiresAt;
    const done = `rotated key ${row.name}; its old value (${row.previousPrefix}…) ${until ? `works until ${until}` : 'is refused now'}${older(before)}`;
    const { id: keyId, ...rest } = row;
    return {
      json: { id: keyId, key: outcome.key, ...rest },
      text: valueText(done, outcome.key),
    };
  },
});

/** A key has one earlier value at most: another rotation ends the grace of the one before. */
const older = ({ previousPrefix, previousExpiresAt }: KeyRow): string =>
  previousExpiresAt === null
    ? ''
    : `. The value before it (${previousPrefix}…) is refused now; it would have worked until ${previousExpiresAt}`;

export const keyChangeCommands = [revoke, scopes, rates, policy, rotateKeyCommand];

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

/** Shows the value of a key, which is stored nowhere. */
export const valueText = (done: string, value: string): string =>
  `${done}\n\n  ${value}\n\nThis is shown once. Frontdesk keeps only a hash of it, so store it now.`;

/** Returns a prefix without the sign that tables show after it. */
const prefixIn = (given: string): string => given.replace(/…$/, '');

/** Finds a key by its id, or by the prefix of its value or of the one before its rotation. Throws a Fault if there is none. */
export async function knownKey(view: View, given: string): Promise<KeyRow> {
  const prefix = prefixIn(given);
  if (!prefix.startsWith('sk_')) {
    return existing(await findKey(view, given), 'API key', given);
  }
  const found = (await findKeys(view)).filter(
    (key) => key.prefix === prefix || key.previousPrefix === prefix,
  );
  if (found.length > 1) {
    throw new UsageFault(
      `${found.length} keys have the prefix ${prefix}: pass the ID, one of ${found.map(({ id }) => id).join(', ')}`,
    );
  }
  return existing(found[0], 'API key', given);
}
