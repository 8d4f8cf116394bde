import type { Command } from '#core/command.ts';
import {
  completeAnswers,
  confirmed,
  questionOf,
  refuseWithoutTerminal,
} from '#platform/cli/prompts.ts';
import { failureOf, printFailure } from '#platform/cli/failure.ts';
import { parseCommandLine, type Invocation } from '#platform/cli/parser.ts';
import { follow, ignoreClosedPipes, isInteractive, print } from '#platform/cli/output.ts';
import { commandGroups, declarations } from './all-commands.ts';
import { groups } from './groups.ts';
import { version } from '#platform/process/version.ts';

/** Runs one command line and returns the exit code: 0 done, 1 failed, 2 wrong usage. Never throws. */
export async function runProgram(argv: readonly string[]): Promise<0 | 1 | 2> {
  ignoreClosedPipes();
  // Read before parsing, for errors of the parser.
  let asJson = argv.includes('--json');
  try {
    const invocation = await parse(argv);
    asJson = invocation?.json ?? asJson;
    return invocation ? await run(invocation) : 0;
  } catch (error) {
    const failure = await failureOf(error);
    printFailure(failure, asJson);
    return failure.exitCode;
  }
}

/**
 * Loads the modules of the line's own command. Help, the version and unknown commands need only the
 * declarations of all of them.
 */
async function parse(argv: readonly string[]): Promise<Invocation | undefined> {
  const word = argv.find((one) => !one.startsWith('-')) ?? '';
  const group = Object.hasOwn(commandGroups, word) ? commandGroups[word] : undefined;
  if (!group || argv.includes('--help') || argv.includes('--version')) {
    const asked = parseCommandLine(await declarations(), argv, version(), groups);
    if (!asked || !group) {
      return undefined;
    }
  }
  return parseCommandLine(await group(), argv, version(), groups);
}

async function run(invocation: Invocation): Promise<0 | 1> {
  const { command, json, wide } = invocation;
  const answers = await completeAnswers(invocation);
  const asked = questionOf(invocation, answers);
  if (asked && !isInteractive()) {
    refuseWithoutTerminal(command, await fullText(command, answers, asked.text));
  }
  const context = await openContext(command);
  try {
    const question = asked && ((await command.question?.(context, answers)) ?? asked);
    if (question && !(await confirmed(question))) {
      process.stderr.write('frontdesk: cancelled, nothing was changed\n');
      return 1;
    }
    const outcome = await command.run(context, answers, invocation);
    if ('follow' in outcome) {
      await follow(outcome, json);
      return 0;
    }
    await print(outcome, json, wide);
    return (await outcome.until) ?? outcome.exitCode ?? 0;
  } finally {
    await context?.close();
  }
}

/** Returns the text of a question with the names of what is changed; `text` if they cannot be read. */
async function fullText(
  command: Command,
  answers: Record<string, unknown>,
  text: string,
): Promise<string> {
  if (!command.question) {
    return text;
  }
  let context: Awaited<ReturnType<typeof openContext>>;
  try {
    context = await openContext(command);
    const question = await command.question(context, answers);
    return question.typed === undefined ? question.text : text;
  } catch {
    return text;
  } finally {
    await context?.close();
  }
}

/** Loads the database's modules for the commands that use it, and not for help. */
async function openContext({ context, path, anyKey = false }: Command) {
  if (context === 'none') {
    return undefined;
  }
  const { openAdmin } = await import('./open-admin.ts');
  return openAdmin(path, anyKey);
}
