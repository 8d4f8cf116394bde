import type { Command, Option } from '#core/command.ts';
import type { Variable } from '#core/variable.ts';

/** A part of the reference, before it is Markdown or roff. Code is between backticks. */
export type Block =
  | { readonly heading: string; readonly level: 1 | 2 | 3 }
  | { readonly text: string }
  | { readonly code: readonly string[] }
  | { readonly terms: readonly (readonly [term: string, text: string])[] };

/** The heading of a command, on the page and in the overview. */
export const headingOf = ({ path }: Command): string => `frontdesk ${path}`;

/** The noun of an admin command, if it has one; empty for other commands. */
export const groupOf = ({ path }: Command): string =>
  path.startsWith('admin ') ? path.split(' ').slice(0, -1).slice(0, 2).join(' ') : '';

export function commandBlocks(command: Command, level: 2 | 3): readonly Block[] {
  const { summary, options, examples, confirm, confirmWhen, context, anyKey } = command;
  const terms = [
    ...argumentTerms(command),
    ...Object.values(options).map((option) => [option.flag, optionText(option)] as const),
  ];
  const notes = [
    (confirm || confirmWhen) && confirmation(command),
    context === 'service' &&
      `It requires \`DATABASE_URL\`${anyKey ? '' : ' and `FRONTDESK_SECRET_KEY`'}.`,
  ].filter(Boolean);
  return [
    { heading: headingOf(command), level },
    { text: [`${summary}.`, ...notes].join(' ') },
    { code: [usageOf(command)] },
    ...(terms.length > 0 ? [{ terms }] : []),
    { text: examples.length === 1 ? 'Example:' : 'Examples:' },
    { code: examples },
  ];
}

/**
 * Returns the usage, such as `frontdesk restore <file> [options]`, with required options written
 * out.
 */
function usageOf(command: Command): string {
  const options = Object.values(command.options);
  const required = options.filter(({ required: isRequired }) => isRequired);
  const words = [
    headingOf(command),
    ...(command.arguments ?? []).map((name) =>
      command.optional?.includes(name) ? `[${name}]` : `<${name}>`,
    ),
    ...required.map(({ flag }) => flag.replace(/^-\w, /, '')),
    ...(options.length > required.length ? ['[options]'] : []),
  ];
  return words.join(' ');
}

const argumentTerms = ({ arguments: names = [], argumentChoices = {} }: Command) =>
  names.flatMap((name) => {
    const choices = argumentChoices[name];
    return choices ? [[`<${name}>`, listed(choices)] as const] : [];
  });

function optionText({ help, required, choices, ask }: Option): string {
  const among = choices ? `${ask === 'checkbox' ? 'any of' : 'one of'} ${listed(choices)}` : '';
  return [required ? `${help} (required)` : help, among].filter(Boolean).join('; ');
}

const listed = (choices: readonly string[]): string =>
  choices.map((choice) => `\`${choice}\``).join(', ');

export const variableTerms = (variables: readonly Variable[]) =>
  variables.map(({ name, meaning, takes, default: value, otherwise }) => {
    const without = otherwise ?? value;
    const fallback = without === undefined ? '' : ` Default: ${without}.`;
    return [name, `${meaning} Use ${takes}.${fallback}`] as const;
  });

function confirmation({ confirmWhen, confirmOnTerminal = false }: Command): string {
  if (confirmOnTerminal) {
    return 'On a terminal it asks for confirmation, unless `--yes` is given.';
  }
  return confirmWhen === undefined
    ? 'It asks for confirmation; without a terminal it requires `--yes`.'
    : `It asks for confirmation ${confirmWhen}; without a terminal it then requires \`--yes\`.`;
}
