import { Command as Program, CommanderError, Option as ProgramOption } from 'commander';
import type { Command } from '#kit/command.ts';
import { UsageFault } from '#kit/fault.ts';
import { wantsColour } from './terminal.ts';

/** A command line as it was typed: options by the names they are declared under. */
export interface Invocation {
  readonly command: Command;
  readonly given: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly yes: boolean;
}

/** Reads a command line; undefined where help or the version was asked for and has been printed. */
export function parseCommandLine(
  commands: readonly Command[],
  argv: readonly string[],
  version: string,
): Invocation | undefined {
  let invocation: Invocation | undefined;
  const root = buildProgram(commands, version, (found) => {
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

function usageFault({ code, message }: CommanderError): UsageFault {
  return new UsageFault(
    code === 'commander.help' ? 'a command is missing; see above' : message.replace(/^error: /, ''),
  );
}

function buildProgram(
  commands: readonly Command[],
  version: string,
  onInvocation: (invocation: Invocation) => void,
): Program {
  const root = groupIn(undefined, 'frontdesk')
    .description('A self-hosted CRM behind one REST API, on one PostgreSQL.')
    .version(version, '--version', 'print the version')
    .option('--json', 'print one JSON value on standard output, nothing else')
    .option('--yes', 'answer every question with yes, and ask none');
  for (const command of commands) {
    const words = command.path.split(' ');
    let parent = root;
    for (const word of words.slice(0, -1)) {
      parent = parent.commands.find((one) => one.name() === word) ?? groupIn(parent, word);
    }
    addCommand(parent, words.at(-1) ?? '', command, onInvocation);
  }
  describeGroups(root);
  return root;
}

/** The settings are inherited by what is added below it. */
function groupIn(parent: Program | undefined, name: string): Program {
  const group = parent ? parent.command(name) : new Program(name);
  return group
    .helpCommand(false)
    .helpOption('--help', 'print this help')
    .exitOverride()
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

function addCommand(
  parent: Program,
  name: string,
  command: Command,
  onInvocation: (invocation: Invocation) => void,
): void {
  const node = groupIn(parent, name).description(command.summary);
  for (const argument of command.arguments ?? []) {
    node.argument(`<${argument}>`);
  }
  const options = Object.entries(command.options).map(
    ([key, { flag, help, required, ...more }]) => {
      const option = new ProgramOption(flag, required ? `${help} (required)` : help);
      if (more.choices && more.ask !== 'checkbox') {
        option.choices(more.choices);
      }
      node.addOption(option);
      return { key, attribute: option.attributeName() };
    },
  );
  const examples = command.examples.map((line) => `  ${line}`).join('\n');
  node.addHelpText('after', `\nExamples:\n${examples}`);
  node.action(() => {
    const typed = node.optsWithGlobals<Record<string, unknown>>();
    const given = Object.fromEntries([
      ...options.map(({ key, attribute }) => [key, typed[attribute]] as const),
      ...(command.arguments ?? []).map((key, index) => [key, node.args[index]] as const),
    ]);
    const { json = false, yes = false } = typed as { json?: boolean; yes?: boolean };
    onInvocation({ command, given, json, yes });
  });
}

/** A group is described by what it holds, unless it is a command as well. */
function describeGroups(group: Program): void {
  for (const child of group.commands) {
    if (child.commands.length > 0) {
      describeGroups(child);
      child.description(child.description() || child.commands.map((one) => one.name()).join(', '));
    }
  }
}
