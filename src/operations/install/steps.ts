import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecretKey } from '#platform/config/secrets.ts';
import {
  file,
  folder,
  run,
  withoutFile,
  type GroupId,
  type Step,
  link,
  withoutLink,
} from './place.ts';

export const UNITS = [
  'frontdesk-serve.service',
  'frontdesk-worker.service',
  'frontdesk-backup.service',
  'frontdesk-backup.timer',
] as const;

/** The timer starts this unit; it is never enabled itself. */
const TIMED: (typeof UNITS)[number] = 'frontdesk-backup.service';
const ENABLED = UNITS.filter((unit) => unit !== TIMED);

const USER = 'frontdesk';
const HOME = '/var/lib/frontdesk';

export interface Target {
  readonly checkout: string;
  /** `/`, or the folder of another system's root. */
  readonly root: string;
}

interface StepsInput extends Target {
  readonly completions: Completions;
}

/** Returns the steps of `install`. Below another root: files only, no user and no services. */
export function installSteps({ checkout, root, completions }: StepsInput): readonly Step[] {
  const isHere = root === '/';
  const group: GroupId = async () => (isHere ? groupId() : undefined);
  const settings = join(root, 'etc/frontdesk');
  const example = () => readFileSync(join(checkout, 'config/frontdesk.example.env'), 'utf8');
  const units = UNITS.map((unit) =>
    file(
      {
        path: join(root, 'etc/systemd/system', unit),
        text: () => unitText(checkout, unit),
        mode: 0o644,
        keep: false,
      },
      noGroup,
    ),
  );
  return [
    ...(runsSources(checkout) ? [bundle(checkout)] : []),
    ...(isHere ? [user] : []),
    folder(settings, 0o750, group),
    file({ path: join(settings, 'frontdesk.env'), text: example, mode: 0o640, keep: true }, group),
    file(
      {
        path: join(settings, 'secret-key'),
        text: () => `${newSecretKey()}\n`,
        mode: 0o600,
        keep: true,
      },
      noGroup,
    ),
    ...units,
    ...shellSteps({ checkout, root }, completions),
    ...(isHere && isSystemdHere() ? [reloaded, enabled] : []),
  ];
}

/** Releases already run a bundle, and so does a checkout whose bundle is current. */
const runsSources = (checkout: string): boolean =>
  process.argv[1] === join(checkout, 'bin/frontdesk.ts');

const bundle = (checkout: string): Step => ({
  what: `bundle ${join(checkout, 'dist')}`,
  isDone: async () => false,
  async act() {
    await run(process.execPath, [join(checkout, 'bin/build.ts')]);
  },
});

/** Returns the steps of `uninstall`. Settings, secret key and user stay. */
export const uninstallSteps = ({ checkout, root }: Target): readonly Step[] => {
  const isLive = root === '/' && isSystemdHere();
  return [
    ...(isLive ? [disabled] : []),
    ...UNITS.map((unit) => withoutFile(join(root, 'etc/systemd/system', unit))),
    ...(isLive ? [reloaded] : []),
    ...withoutShellSteps({ checkout, root }),
  ];
};

const isSystemdHere = () => existsSync('/run/systemd/system');

const succeeds = (command: string, args: readonly string[]): Promise<boolean> =>
  run(command, args).then(
    () => true,
    () => false,
  );

const user: Step = {
  what: `user ${USER}`,
  isDone: () => succeeds('id', ['-u', USER]),
  async act() {
    const options = ['--system', '--user-group', '--home-dir', HOME];
    await run('useradd', [...options, '--shell', '/usr/sbin/nologin', USER]);
  },
};

const groupId = async (): Promise<number> => Number((await run('id', ['-g', USER])).stdout);

const reloaded: Step = {
  what: 'systemctl daemon-reload',
  isDone: async () => false,
  async act() {
    await run('systemctl', ['daemon-reload']);
  },
};

/** `is-enabled` succeeds if any of several units is enabled, so each is asked for. */
const enabledUnits = async (): Promise<readonly string[]> => {
  const answers = await Promise.all(
    ENABLED.map((unit) => succeeds('systemctl', ['is-enabled', '--quiet', unit])),
  );
  return ENABLED.filter((_, index) => answers[index]);
};

const enabled: Step = {
  what: `systemctl enable ${ENABLED.join(' ')}`,
  isDone: async () => (await enabledUnits()).length === ENABLED.length,
  async act() {
    await run('systemctl', ['enable', ...ENABLED]);
  },
};

const disabled: Step = {
  what: `systemctl disable --now ${ENABLED.join(' ')}`,
  isDone: async () => (await enabledUnits()).length === 0,
  async act() {
    // An older release had no timer, and disabling a missing unit fails.
    await run('systemctl', ['disable', '--now', ...(await enabledUnits())]);
    await succeeds('systemctl', ['stop', TIMED]);
  },
};

/** Returns the completion script of each shell. */
type Completions = () => Promise<Readonly<Record<keyof typeof COMPLETIONS, string>>>;

const COMMAND = 'usr/local/bin/frontdesk';
const MAN_PAGE = 'usr/local/share/man/man1/frontdesk.1';
/** The folders in which shells look for completions of local programs. */
const COMPLETIONS = {
  bash: 'usr/local/share/bash-completion/completions/frontdesk',
  zsh: 'usr/local/share/zsh/site-functions/_frontdesk',
  fish: 'etc/fish/completions/frontdesk.fish',
} as const;

const SHELLS = Object.keys(COMPLETIONS) as (keyof typeof COMPLETIONS)[];

const noGroup = async () => undefined;

/** The command in PATH, its man page and its completions. */
const shellSteps = ({ checkout, root }: Target, completions: Completions): readonly Step[] => [
  link(join(root, COMMAND), join(checkout, 'bin/frontdesk')),
  readable(join(root, MAN_PAGE), () => readFileSync(join(checkout, 'man/frontdesk.1'), 'utf8')),
  ...SHELLS.map((shell) =>
    readable(join(root, COMPLETIONS[shell]), async () => (await completions())[shell]),
  ),
];

const readable = (path: string, text: () => string | Promise<string>): Step =>
  file({ path, text, mode: 0o644, keep: false }, noGroup);

const withoutShellSteps = ({ checkout, root }: Target): readonly Step[] => [
  withoutLink(join(root, COMMAND), join(checkout, 'bin/frontdesk')),
  ...[MAN_PAGE, ...Object.values(COMPLETIONS)].map((path) => withoutFile(join(root, path))),
];

/** The path of the checkout in its own unit files. */
const DEFAULT_PATH = '/opt/frontdesk';

/** Folders that services cannot read (ProtectHome), or that only root may enter. */
const HIDDEN = /^\/(?:root|home|run\/user|tmp|var\/tmp)(?:\/|$)/;

/** Returns the text of a unit file for the path of this checkout. */
export const unitText = (checkout: string, unit: string): string =>
  readFileSync(`${checkout}/systemd/${unit}`, 'utf8').replaceAll(DEFAULT_PATH, checkout);

/** Returns the refusal of a checkout that services could not read; undefined if they can. */
export const hiddenRefusal = (checkout: string): string | undefined =>
  HIDDEN.test(checkout) || /\s/.test(checkout)
    ? `the checkout is in ${checkout}, where a service cannot reach it: move it to ${DEFAULT_PATH} and install from there`
    : undefined;
