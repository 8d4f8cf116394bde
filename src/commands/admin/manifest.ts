import { findFeeds } from '../../booking/feeds/feed-addresses.ts';
import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { sections } from '#registry/sections.ts';
import { exportManifest, writeYaml } from '../../manifest/export-manifest.ts';
import { describeOutcome, type Outcome } from '../../manifest/outcome.ts';
import { applyFile } from '../apply-file.ts';
import type { AdminContext } from '../open-admin.ts';
import type { Service } from '../server/open-service.ts';
import { liveSubAccount, subAccountOption } from './answers.ts';

const file = {
  flag: '-f, --file <file>',
  help: 'manifest in YAML or JSON; - reads standard input',
  required: true,
} as const;
const prune = {
  flag: '--prune',
  help: 'remove everything that the manifest does not name, including whole sections',
} as const;
const reassign = {
  flag: '--reassign <member>',
  help: 'key of the team member to reassign upcoming appointments of removed members to',
} as const;

const apply = defineCommand<AdminContext>()({
  path: 'admin apply',
  summary: 'Apply a manifest to a sub-account in one transaction',
  options: {
    file,
    subAccount: subAccountOption,
    dryRun: {
      flag: '--dry-run',
      help: 'show changes or errors without applying anything',
    },
    prune,
    reassign,
  },
  examples: [
    'frontdesk admin apply -f harbour.yaml --sub-account 0198c0de-…',
    'frontdesk admin apply -f harbour.yaml --sub-account 0198c0de-… --prune --dry-run',
    'frontdesk admin apply -f harbour.yaml --sub-account 0198c0de-… --prune --reassign ben',
  ],
  confirmWhen: 'with `--prune`',
  confirm: ({ file, subAccount, prune, dryRun }) =>
    prune && !dryRun
      ? `Remove everything that ${file} does not name from sub-account ${subAccount}?`
      : undefined,
  async question(context, { file, subAccount }) {
    const { name } = await liveSubAccount(context, subAccount);
    return { text: `Remove everything that ${file} does not name from sub-account ${name}?` };
  },
  context: 'service',
  async run(context, { file, subAccount, prune = false, reassign, dryRun = false }) {
    refuseUselessReassign(prune, reassign);
    const { id: subAccountId } = await liveSubAccount(context, subAccount);
    const outcome = await applyFile(context, { file, subAccountId, prune, reassign, dryRun });
    const feeds = await feedIds(context, subAccountId, outcome.ids);
    const json = { ...outcome, ids: { ...outcome.ids, feeds } };
    return { json, text: describeOutcome(outcome, dryRun) };
  },
});

const diff = defineCommand<AdminContext>()({
  path: 'admin diff',
  summary: 'Show the changes or errors of a manifest without applying it',
  options: {
    file,
    subAccount: subAccountOption,
    prune,
    reassign,
    exitCode: { flag: '--exit-code', help: 'exit 1 if there is a difference' },
  },
  examples: [
    'frontdesk admin diff -f harbour.yaml --sub-account 0198c0de-…',
    'frontdesk admin diff -f harbour.yaml --sub-account 0198c0de-… --exit-code --json',
  ],
  context: 'service',
  async run(context, { file, subAccount, prune = false, reassign, exitCode = false }) {
    refuseUselessReassign(prune, reassign);
    const { id: subAccountId } = await liveSubAccount(context, subAccount);
    const options = { file, subAccountId, prune, reassign, dryRun: true };
    const outcome = await applyFile(context, options);
    const { created, updated, removed } = outcome;
    const differs = created.length + updated.length + removed.length > 0;
    return {
      json: outcome,
      text: describeOutcome(outcome, true),
      exitCode: exitCode && differs ? 1 : 0,
    };
  },
});

/** Without `--prune` no members are removed, and the option would silently do nothing. */
function refuseUselessReassign(prune: boolean, reassign: string | undefined): void {
  if (reassign !== undefined && !prune) {
    throw new UsageFault('--reassign needs --prune, which removes team members');
  }
}

const exportCommand = defineCommand<AdminContext>()({
  path: 'admin export',
  summary: 'Print a sub-account as a manifest, without its secrets',
  options: { subAccount: subAccountOption },
  examples: [
    'frontdesk admin export --sub-account 0198c0de-… > harbour.yaml',
    'frontdesk admin export --sub-account 0198c0de-… --json',
  ],
  context: 'service',
  async run(context, { subAccount }) {
    const { transact, actor } = context;
    const { id } = await liveSubAccount(context, subAccount);
    const manifest = await transact(id, actor, (work) => exportManifest(work, sections));
    return { json: manifest, text: writeYaml(manifest) };
  },
});

export const manifestCommands = [apply, diff, exportCommand];

/**
 * Returns the feed tokens of calendars and team members by key. If a member has the key of a calendar,
 * its token is under `team/KEY`.
 */
async function feedIds(
  { openView, clock, secrets }: Pick<Service, 'openView' | 'clock' | 'secrets'>,
  subAccountId: string,
  { calendars = {}, team = {} }: Outcome['ids'],
): Promise<Readonly<Record<string, string>>> {
  const feeds = await findFeeds(openView(subAccountId, clock()), secrets);
  const ids: Record<string, string> = {};
  for (const { kind, key, ownerId, token } of feeds) {
    if ((kind === 'calendar' ? calendars : team)[key] === ownerId) {
      ids[Object.hasOwn(ids, key) ? `team/${key}` : key] = token;
    }
  }
  return ids;
}
