import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { file, link, withoutFile, withoutLink } from './place.ts';
import type { Step } from './step.ts';

/** Returns the completion script of each shell. */
export type Completions = () => Promise<Readonly<Record<keyof typeof COMPLETIONS, string>>>;

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

interface Target {
  readonly checkout: string;
  readonly root: string;
}

/** The command in PATH, its man page and its completions. */
export const shellSteps = (
  { checkout, root }: Target,
  completions: Completions,
): readonly Step[] => [
  link(join(root, COMMAND), join(checkout, 'bin/frontdesk')),
  readable(join(root, MAN_PAGE), () => readFileSync(join(checkout, 'man/frontdesk.1'), 'utf8')),
  ...SHELLS.map((shell) =>
    readable(join(root, COMPLETIONS[shell]), async () => (await completions())[shell]),
  ),
];

const readable = (path: string, text: () => string | Promise<string>): Step =>
  file({ path, text, mode: 0o644, keep: false }, noGroup);

export const withoutShellSteps = ({ checkout, root }: Target): readonly Step[] => [
  withoutLink(join(root, COMMAND), join(checkout, 'bin/frontdesk')),
  ...[MAN_PAGE, ...Object.values(COMPLETIONS)].map((path) => withoutFile(join(root, path))),
];
