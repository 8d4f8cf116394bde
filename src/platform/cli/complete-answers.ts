import { UsageFault } from '#kit/fault.ts';
import type { Option } from '#kit/command.ts';
import type { Invocation } from './parse-command-line.ts';
import { isInteractive } from './terminal.ts';

/** What the command gets to work with: what was typed, what was asked for, both read and checked. */
export async function completeAnswers({
  command,
  given,
  yes,
}: Invocation): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = { ...given };
  const asks = isInteractive() && !yes;
  const missing = Object.entries(command.options).filter(
    ([key, { required }]) => required && given[key] === undefined,
  );
  if (missing.length > 0 && !asks) {
    const flags = missing.map(([, { flag }]) => flag).join(', ');
    throw new UsageFault(`${command.path} needs ${flags}`);
  }
  const unanswered = Object.entries(command.options).filter(
    ([key, { required, askUnless }]) =>
      given[key] === undefined &&
      (required || (asks && askUnless !== undefined && !given[askUnless])),
  );
  for (const [key, option] of unanswered) {
    const { askFor } = await import('./prompts.ts');
    answers[key] = await askFor(option);
  }
  for (const [key, option] of Object.entries(command.options)) {
    answers[key] = readOption(option, answers[key]);
  }
  return answers;
}

/** Lets a person think again before something that cannot be undone. */
export async function confirmed(
  { command, yes }: Invocation,
  answers: Record<string, unknown>,
): Promise<boolean> {
  const { confirm } = command;
  const question = typeof confirm === 'function' ? confirm(answers) : confirm;
  if (question === undefined || yes) {
    return true;
  }
  if (!isInteractive()) {
    throw new UsageFault(`${command.path} asks before it acts; without a terminal give --yes`);
  }
  const { askYesOrNo } = await import('./prompts.ts');
  return askYesOrNo(question);
}

/** Whatever a reader throws means that the option was given something it does not take. */
function readOption({ flag, parse }: Option, given: unknown): unknown {
  if (given === undefined || typeof given === 'boolean' || !parse) {
    return given;
  }
  try {
    // Of an option that takes several values (`<value...>`) it is a list of texts.
    return parse(given as string);
  } catch (error) {
    throw new UsageFault(`${flag}: ${(error as Error).message}`, { cause: error });
  }
}
