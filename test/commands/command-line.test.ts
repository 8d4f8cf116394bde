import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { SCOPES } from '#core/scope.ts';
import { parseCommandLine } from '#platform/cli/parser.ts';
import { labelOf } from '#platform/cli/prompts.ts';
import { allCommands, commandGroups } from '../../src/commands/all-commands.ts';
import { groups } from '../../src/commands/groups.ts';
import { frontdesk } from '../support/frontdesk.ts';

const commands = await allCommands();
const groupPaths = [
  ...new Set(
    commands.flatMap(({ path }) => {
      const words = path.split(' ');
      return words.map((_, count) => words.slice(0, count).join(' '));
    }),
  ),
];

describe('every command', () => {
  test('is listed under the first word of its path, which loads no others', async () => {
    for (const [word, load] of Object.entries(commandGroups)) {
      const group = await load();
      expect(group.length).toBeGreaterThan(0);
      expect(group.map(({ path }) => path.split(' ')[0])).toEqual(group.map(() => word));
    }
  });

  test('has a unique path; only those of backup are below another', () => {
    const paths = commands.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((path) => paths.some((other) => path.startsWith(`${other} `)))).toEqual([
      'backup verify',
      'backup scheduled',
    ]);
  });

  test.each(commands.map((command) => [command.path, command] as const))(
    '%s has a summary, examples that parse, and takes --json and --yes',
    (path, { summary, examples }) => {
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples.filter((line) => line.startsWith('frontdesk '))) {
        const words = wordsOf(example);
        const invocation = parseCommandLine(commands, [...words, '--json', '--yes'], '0');
        expect(invocation).toMatchObject({ command: { path }, json: true, yes: true });
      }
    },
  );

  test('prompts for missing options with nouns', () => {
    const labels = commands.flatMap(({ options }) =>
      Object.values(options).filter(
        ({ required, askUnless }) => required || askUnless !== undefined,
      ),
    );
    expect(labels.map(labelOf).filter((label) => !NOUNS.has(label))).toEqual([]);
  });

  test('that asks for confirmation names what it changes', () => {
    const asking = commands.filter(({ confirm, context }) => confirm && context === 'service');
    expect(asking.filter(({ question }) => !question).map(({ path }) => path)).toEqual([
      'admin user disable',
      'admin workflow test',
    ]);
  });

  test.each(['', 'up', 'migrate', 'serve', 'worker', 'openapi', 'admin', 'admin key', 'backup'])(
    '--help of "%s" is printed on standard output',
    async (path) => {
      const words = path === '' ? [] : path.split(' ');
      const { code, stdout, stderr } = await frontdesk([...words, '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('--json');
      expect(stdout).toMatch(/\nExamples:\n {2}frontdesk \S/);
    },
  );
});

describe('every group of commands', () => {
  test('has a sentence and examples that parse, of commands in it', () => {
    const own = new Set(commands.map(({ path }) => path));
    expect(groups.map(({ path }) => path).sort()).toEqual(
      groupPaths.filter((path) => !own.has(path)).sort(),
    );
    for (const { path, summary, examples } of groups) {
      expect(summary).toMatch(/^[A-Z].*[^.]$/);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const found = parseCommandLine(commands, wordsOf(example), '0');
        expect(found?.command.path.startsWith(path)).toBe(true);
      }
    }
  });

  test('shows them in its help', () => {
    for (const { path, summary, examples } of groups) {
      const help = helpOf(path === '' ? [] : path.split(' '));
      expect(help).toContain(`${summary}.`);
      expect(help).toContain(`Examples:\n  ${examples[0]}`);
    }
  });

  test('lists what an option with several values takes', () => {
    const help = helpOf(['admin', 'key', 'create']).replaceAll(/\s+/g, ' ');
    expect(help).toContain(`or all (required); any of ${SCOPES.join(', ')}`);
  });
});

describe('wrong usage exits 2 with a message on standard error', () => {
  test.each([
    ['nope', "unknown command 'nope'"],
    ['migrat', '(Did you mean migrate?)'],
    ['admin key lisd', '(Did you mean list?)'],
    ['migrat --help', '(Did you mean migrate?)'],
    ['--help migrat', '(Did you mean migrate?)'],
    ['admin kye --help', '(Did you mean key?)'],
    ['admin key lisd --help', '(Did you mean list?)'],
    ['admin key lisd --json --help', "unknown command 'lisd'"],
    ['admin', 'no command was given; choose one of the commands above'],
    ['serve extra', 'too many arguments: extra; see frontdesk serve --help'],
    ['admin calendar list', '; the commands of frontdesk admin calendar are '],
    ['admin key list --key', '; see frontdesk admin key list --help'],
    ['migrate --chek', '(Did you mean --check?)'],
    ['completion', "missing required argument 'shell'"],
    ['completion tcsh', 'unknown shell "tcsh"; use bash, zsh, fish'],
    ['serve --port 70000', '--port <port>: 70000 was given; it must be a number from 0 to 65535'],
    ['serve --port', "option '--port <port>' argument missing"],
    ['worker --concurrency 0', 'it must be a number from 1 to 100'],
    ['migrate', 'DATABASE_URL is not set'],
    [
      'migrate',
      'Or set FRONTDESK_ENV_FILE to a file that contains it: frontdesk up writes frontdesk.env to its',
    ],
    ['admin sub-account create', 'admin sub-account create needs --name <name>'],
    ['admin key revoke x', 'pass --yes'],
    ['toString', "unknown command 'toString'"],
  ])('%s', async (line, said) => {
    const { code, stdout, stderr } = await frontdesk(line.split(' '));
    expect(stderr).toContain(said);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('without a command the help is printed there', async () => {
    const { code, stdout, stderr } = await frontdesk([]);
    expect(stderr).toContain('Commands:');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('with --json the message is one JSON line', async () => {
    const { code, stdout, stderr } = await frontdesk(['migrat', '--json']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr)).toEqual({
      error: { message: expect.stringContaining("unknown command 'migrat'") },
    });
  });

  test('an invalid variable is named, with its value and the allowed values', async () => {
    const { code, stderr } = await frontdesk(['openapi'], { FRONTDESK_PORT: '99999' });
    expect(stderr).toContain('FRONTDESK_PORT: invalid value "99999". Use a number from 0 to 65535');
    expect(code).toBe(2);
  });

  test('a missing file of FRONTDESK_ENV_FILE is named', async () => {
    const { code, stderr } = await frontdesk(['serve'], { FRONTDESK_ENV_FILE: '/nowhere/env' });
    expect(stderr).toContain('FRONTDESK_ENV_FILE is "/nowhere/env", which cannot be read');
    expect(code).toBe(2);
  });
});

describe('output', () => {
  test('--json prints one value and nothing else, at any position', async () => {
    for (const args of [
      ['openapi', '--json'],
      ['--json', 'openapi'],
    ]) {
      const { code, stdout, stderr } = await frontdesk(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0' });
      expect(stdout.trim().split('\n')).toHaveLength(1);
    }
  });

  test('the OpenAPI document contains the public address', async () => {
    const { stdout } = await frontdesk(['openapi'], { FRONTDESK_BASE_URL: 'https://crm.example/' });
    expect(JSON.parse(stdout)).toMatchObject({ servers: [{ url: 'https://crm.example' }] });
  });

  test('--version prints the version of package.json', async () => {
    expect((await frontdesk(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([
    [['--version', '--json']],
    [['--json', '--version']],
    [['doctor', '--json', '--version']],
  ])('%j prints the version as one JSON value', async (line) => {
    const { code, stdout } = await frontdesk(line);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    ]);
  });

  test('a closed pipe is not a failure', async () => {
    const child = spawn('bin/frontdesk', ['openapi'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (text: Buffer) => {
      stderr += text.toString();
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(stderr).toBe('');
  });

  test('an unreachable database is reported in one line, with exit code 1', async () => {
    const { code, stdout, stderr } = await frontdesk(['admin', 'sub-account', 'list'], {
      DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x',
      FRONTDESK_SECRET_KEY: Buffer.alloc(32).toString('base64'),
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^frontdesk: the database of DATABASE_URL cannot be used: .*REFUSED.*; start the database, or correct DATABASE_URL\n$/,
    );
    expect(stderr).not.toContain('hunter2');
  });
});

const NOUNS = new Set([
  'API key',
  'Agent policy',
  'Amount',
  'Appointment type',
  'Contact',
  'Content (HTML)',
  'Currency',
  'Email',
  'File',
  'First name',
  'Invoice ID',
  'Last name',
  'Layout',
  'Name',
  'Node',
  'Receiver URL',
  'Role',
  'Scopes',
  'Start time',
  'Sub-account',
  'Subject',
  'Subscription',
]);

function helpOf(words: readonly string[]): string {
  let text = '';
  const written = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    parseCommandLine(commands, [...words, '--help'], '0', groups);
  } finally {
    written.mockRestore();
  }
  return text;
}

/** As a shell would split it, as far as examples need it. */
const wordsOf = (line: string): string[] =>
  [...(line.split(/ [>|] /)[0] ?? '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, plain]) => double ?? single ?? plain ?? '')
    .slice(1);
