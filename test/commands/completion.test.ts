import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '#core/scope.ts';
import { allCommands } from '../../src/commands/all-commands.ts';
import { frontdesk } from '../support/frontdesk.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await frontdesk(['completion', shell]);
    writeFileSync(join(folder, shell), stdout);
  }
  mkdirSync(join(folder, 'here/backups'), { recursive: true });
  for (const name of ['first.backup', 'my own.backup', 'manifest.yaml']) {
    writeFileSync(join(folder, 'here', name), '');
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns what bash offers for a Tab at the end of the line, with these word breaks. */
const offered = (line: string, breaks = ' \t\n"\'><=;|&(:'): string[] => {
  const script = `
    COMP_WORDBREAKS=$BREAKS
    source ${folder}/bash
    complete -p frontdesk | grep -q _frontdesk || exit 9
    _frontdesk
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = {
    PATH: process.env['PATH'],
    BREAKS: breaks,
    COMP_LINE: line,
    COMP_POINT: String(line.length),
  };
  const cwd = join(folder, 'here');
  const said = execFileSync('bash', ['--norc', '--noprofile', '-c', script], {
    encoding: 'utf8',
    env,
    cwd,
  });
  return said.split('\n').filter(Boolean);
};

describe('completion of bash', () => {
  test('offers commands, groups and the commands of groups', async () => {
    const words = new Set((await allCommands()).map(({ path }) => path.split(' ')[0]));
    expect(new Set(offered('frontdesk '))).toEqual(words);
    expect(offered('frontdesk mi')).toEqual(['migrate']);
    expect(offered('/opt/frontdesk/bin/frontdesk mi')).toEqual(['migrate']);
    expect(offered('frontdesk admin key re')).toEqual(['revoke']);
    expect(offered('frontdesk admin ')).toContain('sub-account');
    expect(offered('frontdesk nope mi')).toEqual([]);
  });

  test('offers the options of a command, also after arguments and values', () => {
    const flags = ['--host', '--port', '--json', '--wide', '--yes', '--help'];
    expect(offered('frontdesk serve --')).toEqual(flags);
    expect(offered('frontdesk serve ')).toEqual(flags);
    expect(offered('frontdesk serve --host ::1 --po')).toEqual(['--port']);
    expect(offered('frontdesk admin key scopes ID --s')).toEqual(['--set']);
    expect(offered('frontdesk --v')).toEqual(['--version']);
  });

  test('does not take a value for a command, and offers nothing for free values', () => {
    expect(offered('frontdesk admin key create --name list --agenc')).toEqual(['--agency']);
    expect(offered('frontdesk admin key create --name ')).toEqual([]);
    expect(offered('frontdesk admin key show ')).toEqual([]);
  });

  test('offers the choices of options and arguments, also in comma-separated lists', () => {
    expect(offered('frontdesk completion ')).toEqual(['bash', 'zsh', 'fish']);
    expect(offered('frontdesk admin campaign create --channel ')).toEqual(['email', 'sms']);
    expect(offered('frontdesk admin appointment set-status ID no')).toEqual(['no_show']);
    expect(offered('frontdesk admin workflow runs --status w')).toEqual(['waiting']);
    expect(offered('frontdesk webhook listen --events contact.c')).toEqual(['contact.created']);
    const scopes = 'frontdesk admin key create --scopes ';
    expect(offered(scopes)).toEqual(SCOPES);
    expect(offered(`${scopes}tasks:read,tasks`, ' \t\n')).toEqual([
      'tasks:read,tasks:read',
      'tasks:read,tasks:write',
    ]);
  });

  test('offers the rest of a word that bash breaks at : and =', () => {
    expect(offered('frontdesk admin key create --scopes contacts:')).toEqual(['read', 'write']);
    expect(offered('frontdesk admin key create --scopes tasks:read,contacts:w')).toEqual(['write']);
    expect(offered('frontdesk admin campaign create --channel=e')).toEqual(['email']);
    expect(offered('frontdesk admin campaign create --channel=e', ' \t\n')).toEqual([
      '--channel=email',
    ]);
  });

  test('offers files and folders where they are expected', () => {
    expect(offered('frontdesk restore fi')).toEqual(['first.backup']);
    expect(offered('frontdesk restore my\\ ')).toEqual(['my own.backup']);
    expect(offered('frontdesk admin apply -f m').sort()).toEqual([
      'manifest.yaml',
      'my own.backup',
    ]);
    expect(offered('frontdesk admin apply --file=ma')).toEqual(['manifest.yaml']);
    expect(offered('frontdesk admin contact import ma')).toEqual(['manifest.yaml']);
    expect(offered('frontdesk up --data ')).toEqual(['backups']);
    expect(offered('frontdesk backup ').sort()).toEqual([
      'backups',
      'first.backup',
      'manifest.yaml',
      'my own.backup',
      'scheduled',
      'verify',
    ]);
  });
});

describe('completion of the other shells', () => {
  test.each(['zsh', 'fish'])('names every option and choice for %s', async (shell) => {
    const { code, stdout } = await frontdesk(['completion', shell]);
    expect(code).toBe(0);
    for (const { options } of await allCommands()) {
      for (const { flag } of Object.values(options)) {
        expect(stdout).toContain(/--[\w-]+/.exec(flag)?.[0]);
      }
    }
    for (const choice of [...SCOPES, 'no_show', 'bash']) {
      expect(stdout).toContain(`'${choice}'`);
    }
  });
});
