import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSecretKey } from '#platform/config/secrets.ts';
import { file, folder, run, withoutFile, type GroupId } from './place.ts';
import { shellSteps, withoutShellSteps, type Completions } from './shell.ts';
import type { Step } from './step.ts';
import { UNITS, unitText } from './units.ts';

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
      async () => undefined,
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
      async () => undefined,
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

const enabled: Step = {
  what: `systemctl enable ${UNITS.join(' ')}`,
  isDone: () => succeeds('systemctl', ['is-enabled', '--quiet', ...UNITS]),
  async act() {
    await run('systemctl', ['enable', ...UNITS]);
  },
};

const disabled: Step = {
  what: `systemctl disable --now ${UNITS.join(' ')}`,
  isDone: async () =>
    !(await succeeds('systemctl', ['is-enabled', '--quiet', UNITS[0]])) &&
    !(await succeeds('systemctl', ['is-enabled', '--quiet', UNITS[1]])),
  async act() {
    await run('systemctl', ['disable', '--now', ...UNITS]);
  },
};
