import { UsageFault } from '#core/fault.ts';
import type { Option, Question } from '#core/command.ts';
import type { Invocation } from './parse-command-line.ts';
import { isInteractive } from './terminal.ts';

/** Returns the options and arguments of a command, prompted for where they are missing, and checked. */
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

/**
 * Returns what has to be confirmed before the command runs; undefined where nothing has. Throws a
 * UsageFault where there is no terminal to ask on.
 */
export function questionOf(
  { command, yes }: Pick<Invocation, 'command' | 'yes'>,
  answers: Record<string, unknown>,
): Question | undefined {
  const { confirm } = command;
  const text = typeof confirm === 'function' ? confirm(answers) : confirm;
  if (text === undefined || yes) {
    return undefined;
  }
  if (!isInteractive()) {
    throw new UsageFault(`${command.path} asks for confirmation; without a terminal, pass --yes`);
  }
  return { text };
}

/** Asks a question on the terminal and returns whether it was confirmed. */
export async function confirmed(question: Question): Promise<boolean> {
  const { askYesOrNo, askToType } = await import('./prompts.ts');
  const { text, typed } = question;
  return typed === undefined ? askYesOrNo(text) : askToType(text, typed);
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
