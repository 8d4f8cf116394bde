import { resolve } from 'node:path';
import {
  defineCommand,
  type Command,
  type CommandDeclaration,
  type Outcome,
} from '#core/command.ts';
import { Fault } from '#core/fault.ts';
import { completionScript } from '#platform/cli/completion/completion.ts';
import { PACKAGE_ROOT } from '#platform/files/package-root.ts';
import { takeSteps, type Step, type StepResult } from '../operations/install/place.ts';
import {
  installSteps,
  uninstallSteps,
  hiddenRefusal,
  UNITS,
  unitText,
} from '../operations/install/steps.ts';

const dryRun = { flag: '--dry-run', help: 'show the steps without taking them' } as const;
const root = (help: string) => ({ flag: '--root <dir>', help }) as const;

/** The command needs all commands, for their completion. */
export const installOf = (all: () => Promise<readonly CommandDeclaration[]>): Command =>
  defineCommand()({
    path: 'install',
    summary: 'Install systemd services, command, man page and completions for this checkout',
    options: {
      dryRun,
      root: root('install below this folder; creates no user and starts nothing'),
    },
    examples: ['sudo bin/frontdesk install', 'bin/frontdesk install --dry-run'],
    context: 'none',
    async run(_, given) {
      return runInstall({ dryRun: given.dryRun ?? false, root: given.root ?? '/' }, all);
    },
  });

export const uninstall = defineCommand()({
  path: 'uninstall',
  summary: 'Remove what `install` set up; settings, key and data stay',
  options: { dryRun, root: root('remove from below this folder; stops nothing') },
  examples: ['sudo bin/frontdesk uninstall', 'bin/frontdesk uninstall --dry-run'],
  confirmWhen: 'without `--dry-run`',
  confirm: (given) =>
    given.dryRun
      ? undefined
      : 'Stop Frontdesk and remove its units, command, man page and completions?',
  context: 'none',
  async run(_, given) {
    return runUninstall({ dryRun: given.dryRun ?? false, root: given.root ?? '/' });
  },
});

interface InstallInput {
  readonly dryRun: boolean;
  readonly root: string;
}

async function runInstall(
  { dryRun, root: given }: InstallInput,
  allCommands: () => Promise<readonly CommandDeclaration[]>,
): Promise<Outcome> {
  const root = resolve(given);
  const units = Object.fromEntries(UNITS.map((unit) => [unit, unitText(PACKAGE_ROOT, unit)]));
  const refusal = root === '/' ? hiddenRefusal(PACKAGE_ROOT) : undefined;
  if (refusal !== undefined && !dryRun) {
    throw new Fault('VALIDATION_ERROR', refusal);
  }
  const completions = async () => completionsOf(await allCommands());
  const target = { checkout: PACKAGE_ROOT, root, completions };
  const taken = await take(installSteps(target), { dryRun, root });
  return {
    json: { ...taken, units, ...(refusal !== undefined && { refusal }) },
    text: dryRun
      ? [
          ...(refusal === undefined ? [] : [`install would refuse: ${refusal}\n`]),
          listed(taken, 'would do'),
          ...Object.entries(units).map(([name, text]) => `\n# ${name}\n${text}`),
        ].join('\n')
      : `${listed(taken, 'did')}\n${NEXT}`,
  };
}

async function runUninstall({ dryRun, root: given }: InstallInput): Promise<Outcome> {
  const root = resolve(given);
  const taken = await take(uninstallSteps({ checkout: PACKAGE_ROOT, root }), { dryRun, root });
  return { json: taken, text: `${listed(taken, dryRun ? 'would do' : 'did')}\n${LEFT}` };
}

const completionsOf = (commands: readonly CommandDeclaration[]) => ({
  bash: completionScript('bash', commands),
  zsh: completionScript('zsh', commands),
  fish: completionScript('fish', commands),
});

async function take(steps: readonly Step[], { dryRun, root }: InstallInput): Promise<StepResult> {
  if (!dryRun && root === '/' && process.getuid?.() !== 0) {
    throw new Fault(
      'FORBIDDEN',
      'only root can install: run sudo bin/frontdesk …, or try it with --dry-run',
    );
  }
  // New folders must be readable for all users, whatever the umask of root's shell.
  process.umask(0o022);
  return takeSteps(steps, dryRun);
}

const listed = ({ done, unchanged }: StepResult, verb: string): string =>
  [
    ...unchanged.map((what) => `unchanged: ${what}`),
    ...done.map((what) => `${verb}: ${what}`),
  ].join('\n');

const NEXT = `
Next: set DATABASE_URL and FRONTDESK_BASE_URL in /etc/frontdesk/frontdesk.env, keep a copy of
/etc/frontdesk/secret-key apart from backups, then
  systemctl start frontdesk-serve frontdesk-worker frontdesk-backup.timer`;

const LEFT = '/etc/frontdesk, /var/lib/frontdesk and the user frontdesk were not removed.';
