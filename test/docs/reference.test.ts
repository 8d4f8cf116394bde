import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import { parseCommandLine } from '#platform/cli/parser.ts';
import { VARIABLES } from '#platform/config/environment.ts';
import { SCOPES } from '#core/scope.ts';
import { endpoints } from '#registry/endpoints.ts';
import { allCommands } from '../../src/commands/all-commands.ts';
import {
  CLI_PAGE,
  cliPage,
  ERRORS_PAGE,
  errorsPage,
  MAN_PAGE,
  manPage,
  METHODS_PAGE,
  methodsPage,
} from '../../docs/build.ts';
import { manPageOf } from '../../docs/reference/roff.ts';
import { createClient } from '../../sdk/src/main.ts';

const commands = await allCommands();

describe('the reference of the command line', () => {
  test('matches the declarations', async () => {
    expect(
      (await readFile(CLI_PAGE, 'utf8')) === (await cliPage()),
      'run: node docs/build.ts',
    ).toBe(true);
    expect(
      (await readFile(MAN_PAGE, 'utf8')) === (await manPage()),
      'run: node docs/build.ts',
    ).toBe(true);
  });

  test('names every command, option, example and variable', async () => {
    const page = await readFile(CLI_PAGE, 'utf8');
    for (const { path, options, examples } of commands) {
      expect(page).toContain(`### \`frontdesk ${path}\`\n`);
      for (const said of [
        ...Object.values(options).map(({ flag }) => `- \`${flag}\`: `),
        ...examples,
      ]) {
        expect(page).toContain(said);
      }
    }
    for (const { name } of Object.values(VARIABLES)) {
      expect(page).toContain(`- \`${name}\`: `);
    }
  });
});

test('the page of the API has the calls that each scope permits', async () => {
  const page = await readFile('docs/api.md', 'utf8');
  const rows = page.matchAll(/^\| `([a-z-]+:[a-z]+)` +\| .* \| (.*) \|$/gm);
  const listed = [...rows].map(([, scope, calls = '']) => [
    scope,
    [...calls.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id).toSorted(),
  ]);
  const declared = SCOPES.map((scope) => [
    scope,
    endpoints
      .filter((one) => one.kind === 'keyed' && 'scope' in one.access && one.access.scope === scope)
      .map(({ id }) => id)
      .toSorted(),
  ]);
  expect(listed).toEqual(declared);
});

test('the page of error codes matches the declarations', async () => {
  const page = await readFile(ERRORS_PAGE, 'utf8');
  expect(page === errorsPage(), 'run: node docs/build.ts').toBe(true);
});

test('the page of client methods matches the declarations and names every method', async () => {
  const page = await readFile(METHODS_PAGE, 'utf8');
  expect(page === methodsPage(), 'run: node docs/build.ts').toBe(true);
  const client = createClient({ baseUrl: 'http://localhost', apiKey: 'k' });
  const methods = Object.entries(client).flatMap(([resource, own]) =>
    typeof own === 'function' ? [] : Object.keys(own).map((name) => `${resource}.${name}`),
  );
  const listed = [...page.matchAll(/^\| `(\w+\.\w+)\(/gm)].map(([, name = '']) => name);
  expect(listed.toSorted()).toEqual(methods.toSorted());
});

describe('the man page', () => {
  test('is ASCII, and no line of text begins like a roff request', async () => {
    const page = await readFile(MAN_PAGE, 'utf8');
    expect(page).toMatch(/^[\n\x20-\x7e]+$/);
    const begun = page.split('\n').filter((line) => /^[.']/.test(line));
    expect(
      begun.filter((line) => !/^\.(?:TH|SH|SS|TP|PP|RS|RE|nf|fi|nh|ad)\b/.test(`${line} `)),
    ).toEqual([String.raw`.\" Written by docs/build.ts; change what it is written from.`]);
  });

  test('escapes hyphens, backslashes and quotes', () => {
    const page = manPageOf('x', [
      { heading: 'A "b"', level: 1 },
      { text: '.a `--b` c\\d,e' },
      { terms: [['--f', "'g…"]] },
      { code: ['--h "i"'] },
    ]);
    expect(page.split('\n').slice(4, -1)).toEqual([
      String.raw`.SH "A \(dqB\(dq"`,
      '.PP',
      String.raw`\&.a \fB\-\-b\fR c\ed,\:e`,
      '.TP',
      String.raw`\fB\-\-f\fR`,
      String.raw`\&'g...`,
      '.PP',
      '.RS 4',
      '.nf',
      String.raw`\-\-h "i"`,
      '.fi',
      '.RE',
    ]);
  });
});

describe('--help', () => {
  const helpOf = (words: readonly string[]): string => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      expect(parseCommandLine(commands, [...words, '--help'], '0')).toBeUndefined();
      return write.mock.calls.map(([text]) => String(text)).join('');
    } finally {
      write.mockRestore();
    }
  };

  test.each(commands.map(({ path, examples }) => [path, examples] as const))(
    'of %s shows its examples',
    (path, examples) => {
      const help = helpOf(path.split(' '));
      expect(examples.length).toBeGreaterThan(0);
      expect(help).toContain(`Examples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
    },
  );

  const groups = new Set(
    commands.flatMap(({ path }) =>
      path.split(' ').map((_, index, words) => words.slice(0, index).join(' ')),
    ),
  );

  test.each([...groups])('of the group "%s" lists its commands', (group) => {
    const help = helpOf(group.split(' ').filter(Boolean));
    for (const { path } of commands.filter((one) =>
      one.path.startsWith(group ? `${group} ` : ''),
    )) {
      expect(help).toContain(path.slice(group ? group.length + 1 : 0).split(' ')[0]);
    }
  });
});
