import { defineCommand } from '#kit/command.ts';
import type { AdminContext } from '../context.ts';
import { liveSubAccount } from './live-sub-account.ts';

const subAccount = {
  flag: '--sub-account <sub>',
  help: 'the sub-account that the manifest describes',
  required: true,
} as const;
const file = {
  flag: '-f, --file <file>',
  help: 'the manifest, YAML or JSON; - reads standard input',
  required: true,
} as const;
const prune = {
  flag: '--prune',
  help: 'remove what the manifest does not name, whole sections included',
} as const;

const apply = defineCommand<AdminContext>()({
  path: 'admin apply',
  summary: 'Make a sub-account as a manifest says, all of it or nothing',
  options: {
    file,
    subAccount,
    dryRun: { flag: '--dry-run', help: 'say what would change, and change nothing' },
    prune,
  },
  examples: [
    'frontdesk admin apply -f harbour.yaml --sub-account 0198c0de-…',
    'frontdesk admin apply -f harbour.yaml --sub-account 0198c0de-… --prune --dry-run',
  ],
  confirm: ({ file, subAccount, prune, dryRun }) =>
    prune && !dryRun
      ? `Remove from the sub-account ${subAccount} whatever ${file} does not name?`
      : undefined,
  context: 'service',
  async run(context, { file, subAccount, prune = false, dryRun = false }) {
    const { id: subAccountId } = await liveSubAccount(context, subAccount);
    const { applyFile } = await import('../apply-file.ts');
    const { describeOutcome } = await import('../../manifest/describe-outcome.ts');
    const outcome = await applyFile(context, { file, subAccountId, prune, dryRun });
    const { feedIds } = await import('../feed-ids.ts');
    const feeds = await feedIds(context, subAccountId, outcome.ids);
    const json = { ...outcome, ids: { ...outcome.ids, feeds } };
    return { json, text: describeOutcome(outcome, dryRun) };
  },
});

const diff = defineCommand<AdminContext>()({
  path: 'admin diff',
  summary: 'Say what applying a manifest would change, and change nothing',
  options: { file, subAccount, prune },
  examples: ['frontdesk admin diff -f harbour.yaml --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { file, subAccount, prune = false }) {
    const { id: subAccountId } = await liveSubAccount(context, subAccount);
    const { applyFile } = await import('../apply-file.ts');
    const { describeOutcome } = await import('../../manifest/describe-outcome.ts');
    const outcome = await applyFile(context, { file, subAccountId, prune, dryRun: true });
    return { json: outcome, text: describeOutcome(outcome, true) };
  },
});

const exportCommand = defineCommand<AdminContext>()({
  path: 'admin export',
  summary: 'Print a sub-account as a manifest, without its secrets',
  options: { subAccount },
  examples: [
    'frontdesk admin export --sub-account 0198c0de-… > harbour.yaml',
    'frontdesk admin export --sub-account 0198c0de-… --json',
  ],
  context: 'service',
  async run(context, { subAccount }) {
    const { transact, actor } = context;
    const { id } = await liveSubAccount(context, subAccount);
    const { exportManifest } = await import('../../manifest/export-manifest.ts');
    const { writeYaml } = await import('../../manifest/write-yaml.ts');
    const { sections } = await import('#registry/sections.ts');
    const manifest = await transact(id, actor, (work) => exportManifest(work, sections));
    return { json: manifest, text: writeYaml(manifest) };
  },
});

export const manifestCommands = [apply, diff, exportCommand];
