import type { Command } from '#core/command.ts';
import { completeAnswers, confirmed, questionOf } from '#platform/cli/prompts.ts';
import { failureOf, printFailure } from '#platform/cli/failure.ts';
import { parseCommandLine, type Invocation } from '#platform/cli/parser.ts';
import { follow, ignoreClosedPipes, print } from '#platform/cli/output.ts';
import { allCommands, commandGroups } from './all-commands.ts';
import { groups } from './groups.ts';
import { openAdmin } from './open-admin.ts';
import { version } from '#platform/process/version.ts';

/** Runs one command line and returns the exit code: 0 done, 1 failed, 2 wrong usage. Never throws. */
export async function runProgram(argv: readonly string[]): Promise<0 | 1 | 2> {
  ignoreClosedPipes();
  // Read before parsing, for errors of the parser.
  let asJson = argv.includes('--json');
  try {
    const invocation = parseCommandLine(await commandsFor(argv), argv, version(), groups);
    asJson = invocation?.json ?? asJson;
    return invocation ? await run(invocation) : 0;
  } catch (error) {
    const failure = await failureOf(error);
    printFailure(failure, asJson);
    return failure.exitCode;
  }
}

/** Loads the group of the first word; all groups for help and unknown commands. */
const commandsFor = async (argv: readonly string[]): Promise<readonly Command[]> => {
  const word = argv.find((one) => !one.startsWith('-')) ?? '';
  const group = Object.hasOwn(commandGroups, word) ? commandGroups[word] : undefined;
  return group ? group() : allCommands();
};

async function run(invocation: Invocation): Promise<0 | 1> {
  const { command, json, wide } = invocation;
  const answers = await completeAnswers(invocation);
  const asked = questionOf(invocation, answers);
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

async function openContext({ context, path, anyKey = false }: Command) {
  return context === 'none' ? undefined : openAdmin(path, anyKey);
}
