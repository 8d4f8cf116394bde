import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from '#core/command.ts';
import { FAULTS, type FaultCode } from '#core/fault.ts';
import { FAULT_EXAMPLES } from '#platform/openapi/responses.ts';
import { VARIABLES } from '#platform/config/environment.ts';
import { allCommands } from '../src/commands/all-commands.ts';
import { groups } from '../src/commands/groups.ts';
import {
  commandBlocks,
  groupOf,
  headingOf,
  variableTerms,
  type Block,
} from './reference/blocks.ts';
import { ERROR_MEANINGS } from './reference/error-meanings.ts';
import { REASON_MEANINGS } from './reference/reason-meanings.ts';
import { clientMethodSections } from './reference/client-methods.ts';
import { markdownOf } from './reference/markdown.ts';
import { manPageOf } from './reference/roff.ts';

export const CLI_PAGE = join(import.meta.dirname, 'cli.md');
export const ERRORS_PAGE = join(import.meta.dirname, 'errors.md');
export const METHODS_PAGE = join(import.meta.dirname, 'sdk-methods.md');
export const MAN_PAGE = join(import.meta.dirname, '../man/frontdesk.1');

const SUMMARY = 'A self-hosted CRM behind one REST API, on one PostgreSQL.';

/** Returns `docs/cli.md`: every command, in the program's order. */
export async function cliPage(): Promise<string> {
  const commands = await allCommands();
  return markdownOf([
    { heading: 'The command line', level: 1 },
    {
      text: 'Every command, its options and examples; `frontdesk COMMAND --help` says the same. This page and the man page (`man ./man/frontdesk.1`, or `man frontdesk` once it is installed) are generated from the declarations in `src/` by `node docs/build.ts`.',
    },
    ...overview(commands),
    { heading: 'Everywhere', level: 2 },
    { terms: GLOBAL },
    { heading: 'Exit codes', level: 2 },
    { terms: EXIT_CODES },
    { heading: 'Environment', level: 2 },
    { text: ENVIRONMENT },
    { terms: variables() },
    ...grouped(commands).flatMap(([group, members]) => [
      { heading: group || 'Running and operating', level: 2 } as const,
      ...members.flatMap((command) => commandBlocks(command, 3)),
    ]),
  ]);
}

/** Returns `man/frontdesk.1`: the same for `man`. */
export async function manPage(): Promise<string> {
  const commands = await allCommands();
  return manPageOf('frontdesk', [
    { heading: 'Name', level: 1 },
    { text: 'frontdesk - a self-hosted CRM behind one REST API, on one PostgreSQL' },
    { heading: 'Synopsis', level: 1 },
    { text: '`frontdesk` COMMAND [OPTION]... [ARGUMENT]...' },
    { heading: 'Description', level: 1 },
    {
      text: `${SUMMARY} The first thing to try is \`frontdesk up\`; a service is \`frontdesk serve\` with \`frontdesk worker\` beside it.`,
    },
    { heading: 'Options', level: 1 },
    { text: 'Every command takes:' },
    { terms: GLOBAL },
    ...grouped(commands).flatMap(([group, members]) => [
      { heading: group ? `Commands: ${group}` : 'Commands', level: 1 } as const,
      ...members.flatMap((command) => commandBlocks(command, 2)),
    ]),
    { heading: 'Exit status', level: 1 },
    { terms: EXIT_CODES },
    { heading: 'Environment', level: 1 },
    { text: ENVIRONMENT },
    { terms: variables() },
    { heading: 'Files', level: 1 },
    { terms: FILES },
  ]);
}

/** Returns `docs/errors.md`: every error code of the API under a heading of its own, by status. */
export function errorsPage(): string {
  const codes = (Object.keys(FAULTS) as FaultCode[]).toSorted((a, b) => FAULTS[a] - FAULTS[b]);
  const sections = codes.map((code) => {
    const { means, remedy } = ERROR_MEANINGS[code];
    const example = JSON.stringify(FAULT_EXAMPLES[code]?.value, null, 2);
    return `## ${code}\n\n**${FAULTS[code]}**: ${means}\n\n${remedy}\n\n\`\`\`json\n${example}\n\`\`\``;
  });
  const reasons = Object.entries(REASON_MEANINGS).map(
    ([reason, { means, remedy }]) => `### ${reason}\n\n${means} ${remedy}`,
  );
  return [ERRORS_INTRODUCTION, ...sections, REASONS_INTRODUCTION, ...reasons].join('\n\n') + '\n';
}

/** Returns `docs/sdk-methods.md`: every method of the TypeScript client, by resource. */
export const methodsPage = (): string =>
  `${[METHODS_INTRODUCTION, ...clientMethodSections()].join('\n\n')}\n`;

const METHODS_INTRODUCTION = `# Client methods

After reading this page you can find the method of the [TypeScript client](sdk.md) for every call of the API.

\`frontdesk.contacts.get(id)\` of a client \`frontdesk\` makes the call in the same row. \`body\` and \`query\` are objects with the fields that the API reference (\`/docs\` on your server) lists. Each method takes [options of the call](sdk.md#call-the-api) as its last parameter. Methods that iterate are for [paged lists](sdk.md#lists). Files are uploaded and downloaded with \`fetch\`: the client has no methods for them. This page is generated from the declarations in \`src/\` by \`node docs/build.ts\`.`;

const REASONS_INTRODUCTION = `## Reasons

Some errors, most of them with the code \`VALIDATION_ERROR\`, name the rule that refused the request in \`details.reason\`. Decide by it: like a code, a reason never changes.`;

const ERRORS_INTRODUCTION = `# Errors

After reading this page you can react to every error of the API.

A failed request returns \`{error: {code, message, details?}}\`. Decide by \`code\`, which never changes. \`message\` is for people and may be reworded. Quote the header \`X-Request-Id\` when you ask your operator for help: the log contains the reason under that id. The header \`Link\` of every error points to its section on this page. This page is generated from the declarations in \`src/\` by \`node docs/build.ts\`.

Retry a lost connection, a timeout, 408, 429, 500, 502, 503 and 504 with growing waits; the [client](sdk.md#retries) does. The statuses 502 and 504 come from a proxy in front of Frontdesk. Send a POST with an [\`Idempotency-Key\`](api.md#idempotency-safe-retries). After a 409 with the code \`IDEMPOTENCY_IN_PROGRESS\`, wait a second and repeat the request with the same key. Other errors fail again until you change the request, unless their text below says otherwise.`;

const GLOBAL = [
  ['--json', 'print one JSON value on standard output, nothing else; logs go to standard error'],
  ['--wide', 'show all columns of a table, and times in full'],
  ['--yes', 'answer every question with yes; never prompt'],
  ['--help', 'print help with examples'],
  ['--version', 'print the version; of `frontdesk` alone'],
] as const;

const EXIT_CODES = [
  ['0', 'done'],
  [
    '1',
    'failed, or found something wrong; also a database that refuses the connection, its user or its password, and a secret key of another database',
  ],
  [
    '2',
    'wrong usage, a question without a terminal and `--yes`, or a variable that is missing or malformed; nothing was done',
  ],
] as const;

const ENVIRONMENT =
  'Variables that are set take precedence over the file named by `FRONTDESK_ENV_FILE`. For each secret, the variable with the suffix `_FILE` names a file that holds it. `NO_COLOR` is honoured.';

const FILES = [
  ['/etc/frontdesk/frontdesk.env', 'the settings of the services that `frontdesk install` made'],
  ['/etc/frontdesk/secret-key', 'their key; keep a copy apart from backups'],
] as const;

const variables = () => [
  ['FRONTDESK_ENV_FILE', 'A file that sets the variables below, a line each.'] as const,
  ...variableTerms(Object.values(VARIABLES)),
];

const grouped = (commands: readonly Command[]) => [...Map.groupBy(commands, groupOf)];

/** The overview: one line per command or group. */
const overview = (commands: readonly Command[]): readonly Block[] => [
  {
    terms: commands
      .filter((command) => groupOf(command) === '')
      .map((command) => [headingOf(command), command.summary] as const),
  },
  { text: 'And below `frontdesk`, for administrators:' },
  {
    terms: grouped(commands)
      .filter(([group]) => group)
      .map(([group, members]) => {
        const verbs = members.map(({ path }) => path.slice(group.length + 1));
        const summary = groups.find(({ path }) => path === group)?.summary ?? '';
        return [group, `${summary}: ${verbs.map((verb) => `\`${verb}\``).join(', ')}`] as const;
      }),
  },
];

if (import.meta.main) {
  await writeFile(CLI_PAGE, await cliPage());
  await writeFile(ERRORS_PAGE, errorsPage());
  await writeFile(METHODS_PAGE, methodsPage());
  await writeFile(MAN_PAGE, await manPage());
}
