import type { Command, Option, Question } from '#core/command.ts';
import { Fault, UsageFault } from '#core/fault.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import { isInteractive } from './output.ts';
import type { Invocation } from './parser.ts';
import { printable } from './printable.ts';

/** Returns the options and arguments of a command, checked; prompts for missing ones. */
export async function completeAnswers({
  command,
  given,
  yes,
}: Invocation): Promise<Record<string, unknown>> {
  refuseUnknownWords(command, given);
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
    answers[key] = await askFor(option);
  }
  for (const [key, option] of Object.entries(command.options)) {
    answers[key] = readOption(option, answers[key]);
  }
  return answers;
}

/** Throws a UsageFault for an argument that is none of its choices. */
function refuseUnknownWords({ argumentChoices = {} }: Command, given: Invocation['given']): void {
  for (const [name, choices] of Object.entries(argumentChoices)) {
    const word = given[name];
    if (typeof word === 'string' && !choices.includes(word)) {
      const hint = didYouMean(word, choices);
      throw new UsageFault(`unknown ${name} "${word}"; use ${choices.join(', ')}${hint}`);
    }
  }
}

/** Returns the question to confirm before the command runs, if any. */
export function questionOf(
  { command, yes }: Pick<Invocation, 'command' | 'yes'>,
  answers: Record<string, unknown>,
): Question | undefined {
  const { confirm, confirmOnTerminal = false } = command;
  const text = typeof confirm === 'function' ? confirm(answers) : confirm;
  if (text === undefined || yes || (confirmOnTerminal && !isInteractive())) {
    return undefined;
  }
  return { text };
}

/** Throws a UsageFault with the question if there is no terminal to ask it on. */
export function refuseWithoutTerminal({ path }: Pick<Command, 'path'>, text: string): void {
  if (!isInteractive()) {
    const asks = `${path} asks for confirmation ("${text}")`;
    throw new UsageFault(`${asks}; without a terminal, pass --yes`);
  }
}

/** Asks a question on the terminal and returns whether it was confirmed. */
export async function confirmed(question: Question): Promise<boolean> {
  const { text, typed, details } = question;
  if (details !== undefined) {
    process.stderr.write(`${details}\n\n`);
  }
  const message = printable(text);
  return typed === undefined ? askYesOrNo(message) : askToType(message, oneLine(printable(typed)));
}

/** Parses a value; an error of the parser becomes a UsageFault. */
function readOption({ flag, parse }: Option, given: unknown): unknown {
  if (given === undefined || typeof given === 'boolean' || !parse) {
    return given;
  }
  try {
    // An option with several values (`<value...>`) passes a list of texts.
    return parse(given as string);
  } catch (error) {
    throw new UsageFault(`${flag}: ${(error as Error).message}`, { cause: error });
  }
}

/** How long a prompt may take to settle once it has stopped reading. */
const SETTLE_MS = 200;

/**
 * Asks one question. Prompts draw on standard error: standard output is for the result. Throws a Fault at
 * the end of the input, which inquirer ignores: its promise would never settle. Loads inquirer when needed.
 */
async function prompt<T>(question: object): Promise<T> {
  const { createPromptModule } = await import('inquirer');
  const ask = createPromptModule({ output: process.stderr });
  const { stdin } = process;
  const { promise: ended, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  // A prompt pauses its input when it is answered, and at its end, such as Ctrl-D.
  const onPause = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      // The pause was that of the prompt before.
      if (stdin.isPaused() || stdin.readableEnded) {
        process.stderr.write('\n');
        const message = 'the input ended before the question was answered; nothing was changed';
        reject(new Fault('VALIDATION_ERROR', message));
      }
    }, SETTLE_MS);
  };
  stdin.on('pause', onPause).on('end', onPause);
  try {
    const asked = ask([{ ...question, name: 'answer' }] as never) as Promise<{ answer: T }>;
    return (await Promise.race([asked, ended])).answer;
  } finally {
    clearTimeout(timer);
    stdin.off('pause', onPause).off('end', onPause);
  }
}

/** Prompts for a missing option; returns the text of its value. */
export async function askFor(option: Option): Promise<string> {
  const { ask = 'input', choices = [] } = option;
  const message = `${labelOf(option)}:`;
  const validate = (text: string) => inputIssue(option, text) ?? true;
  if (ask === 'checkbox') {
    const list = { type: ask, message, choices: [...choices], required: true };
    return (await prompt<string[]>(list)).join(',');
  }
  const question =
    ask === 'select'
      ? { type: ask, message, choices: [...choices] }
      : ask === 'password'
        ? { type: ask, message, mask: '*', validate }
        : { type: ask, message, validate };
  return prompt<string>(question);
}

/** The noun of a prompt: `--time-zone <zone>` is "Time zone". */
export function labelOf({ flag, label }: Pick<Option, 'flag' | 'label'>): string {
  const [, name = flag] = /--([\w-]+)/.exec(flag) ?? [];
  const words = name.replaceAll(/(?<!^sub)-/g, ' ');
  return label ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Prompts for exactly this text; any other input is a no. */
const askToType = async (message: string, expected: string): Promise<boolean> =>
  oneLine(await prompt<string>({ type: 'input', message })) === expected;

/** A name of several lines can only be typed as one. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const askYesOrNo = (message: string): Promise<boolean> =>
  prompt<boolean>({ type: 'confirm', message, default: false });

function inputIssue({ parse }: Option, text: string): string | undefined {
  if (text.trim() === '') {
    return 'is required';
  }
  try {
    parse?.(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
