import { Command as Program, CommanderError, Option as ProgramOption } from 'commander';
import type { Command, CommandDeclaration, CommandGroup } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { wantsColour } from './output.ts';

/** A parsed command line: options by the names of their declarations. */
export interface Invocation<C extends CommandDeclaration = Command> {
  readonly command: C;
  readonly given: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly yes: boolean;
  readonly wide: boolean;
}

type Globals = Pick<Invocation, 'json' | 'yes' | 'wide'>;

/** Parses a command line; returns undefined after printing help or the version. Throws a UsageFault. */
export function parseCommandLine<C extends CommandDeclaration>(
  commands: readonly C[],
  argv: readonly string[],
  version: string,
  groups: readonly CommandGroup[] = [],
): Invocation<C> | undefined {
  let invocation: Invocation<C> | undefined;
  // Commander prints the version as soon as it reads --version, when a later --json is not parsed yet.
  const shownVersion = argv.includes('--json') ? JSON.stringify({ version }) : version;
  const root = buildProgram(commands, shownVersion, groups, (found) => {
    invocation = found;
  });
  try {
    root.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    if (error.exitCode !== 0) {
      throw usageFault(error);
    }
  }
  return invocation;
}

/** A refusal of Commander, with the command that it was about. */
type Refused = CommanderError & { readonly node?: Program };

function usageFault(error: Refused): UsageFault {
  const { code, node } = error;
  if (code === 'commander.help') {
    return new UsageFault('no command was given; choose one of the commands above');
  }
  if (code === 'commander.excessArguments' && node) {
    const extra = node.args.slice(node.registeredArguments.length).join(' ');
    return new UsageFault(`too many arguments: ${extra}; see ${pathOf(node)} --help`);
  }
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  const hint = node && !message.includes('(Did you mean ') ? hintFor(code, node) : '';
  return new UsageFault((hint ? message.replace(/\.$/, '') : message) + hint);
}

/** Returns what is allowed instead of an unknown or missing part of the command line. */
function hintFor(code: string, node: Program): string {
  const path = pathOf(node);
  if (code === 'commander.unknownCommand') {
    const names = node.commands.map((one) => one.name()).join(', ');
    return `; the commands of ${path} are ${names}`;
  }
  return `; see ${path} --help`;
}

const pathOf = (node: Program): string =>
  node.parent ? `${pathOf(node.parent)} ${node.name()}` : node.name();

function buildProgram<C extends CommandDeclaration>(
  commands: readonly C[],
  version: string,
  groups: readonly CommandGroup[],
  onInvocation: (invocation: Invocation<C>) => void,
): Program {
  const root = groupIn(undefined, 'frontdesk')
    .version(version, '--version', 'print the version')
    .option('--json', 'print one JSON value on standard output, nothing else')
    .option('--wide', 'show all columns of a table, and times in full')
    .option('--yes', 'answer every question with yes; never prompt')
    .addHelpText('beforeAll', ({ command }) => {
      refuseUnknownCommand(command);
      return '';
    });
  for (const command of commands) {
    const words = command.path.split(' ');
    let parent = root;
    for (const word of words.slice(0, -1)) {
      parent = parent.commands.find((one) => one.name() === word) ?? groupIn(parent, word);
    }
    addCommand(parent, words.at(-1) ?? '', command, onInvocation);
  }
  describeGroups(root, '', new Map(groups.map((group) => [group.path, group])));
  return root;
}

/** Throws what the line without `--help` throws: Commander itself prints the help of the group. */
function refuseUnknownCommand(node: Program): void {
  const isGroup = node.commands.length > 0 && node.registeredArguments.length === 0;
  const word = node.args.find((one) => one !== '--help') ?? '';
  const isKnown = node.commands.some((one) => one.name() === word);
  if (isGroup && /^[^-]/.test(word) && !isKnown) {
    node.parse([word], { from: 'user' });
  }
}

/** Subcommands inherit the settings. */
function groupIn(parent: Program | undefined, name: string): Program {
  const group = parent ? parent.command(name) : new Program(name);
  return group
    .helpCommand(false)
    .helpOption('--help', 'print this help')
    .exitOverride((error) => {
      throw Object.assign(error, { node: group });
    })
    .configureOutput({
      outputError: () => undefined,
      getOutHasColors: () => wantsColour(process.stdout),
      getErrHasColors: () => wantsColour(process.stderr),
    })
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => `\u001B[1m${title}\u001B[22m`,
    });
}

function addCommand<C extends CommandDeclaration>(
  parent: Program,
  name: string,
  command: C,
  onInvocation: (invocation: Invocation<C>) => void,
): void {
  const node = described(groupIn(parent, name), command);
  for (const argument of command.arguments ?? []) {
    const shown = command.optional?.includes(argument) ? `[${argument}]` : `<${argument}>`;
    const choices = command.argumentChoices?.[argument];
    node.argument(shown, choices ? `one of ${choices.join(', ')}` : '');
  }
  const options = Object.entries(command.options).map(
    ([key, { flag, help, required, ...more }]) => {
      const among = more.ask === 'checkbox' ? `; any of ${more.choices?.join(', ')}` : '';
      const option = new ProgramOption(flag, (required ? `${help} (required)` : help) + among);
      if (more.choices && more.ask !== 'checkbox') {
        option.choices(more.choices);
      }
      node.addOption(option);
      return { key, attribute: option.attributeName() };
    },
  );
  node.action(() => {
    const typed = node.optsWithGlobals<Record<string, unknown>>();
    const given = Object.fromEntries([
      ...options.map(({ key, attribute }) => [key, typed[attribute]] as const),
      ...(command.arguments ?? []).map((key, index) => [key, node.args[index]] as const),
    ]);
    const { json = false, yes = false, wide = false } = typed as Partial<Globals>;
    onInvocation({ command, given, json, yes, wide });
  });
}

type Groups = ReadonlyMap<string, CommandGroup>;

/** A command that is a group as well keeps its own description. */
function describeGroups(node: Program, path: string, groups: Groups): void {
  if (node.commands.length === 0) {
    return;
  }
  const group = groups.get(path);
  if (group && !node.description()) {
    described(node, group);
  }
  for (const child of node.commands) {
    describeGroups(child, `${path} ${child.name()}`.trim(), groups);
  }
}

/** A sentence in its own help, a phrase in the list of the commands around it. */
function described(
  node: Program,
  { summary, examples }: Pick<CommandGroup, 'summary' | 'examples'>,
): Program {
  const lines = examples.map((line) => `  ${line}`).join('\n');
  return node
    .summary(summary)
    .description(`${summary}.`)
    .addHelpText('after', `\nExamples:\n${lines}`);
}
