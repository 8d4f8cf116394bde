import type { Command, Option, Question } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import { isInteractive } from './output.ts';
import type { Invocation } from './parser.ts';

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

/**
 * Returns the question to confirm before the command runs, if any. Throws a UsageFault without a
 * terminal.
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
  const { text, typed, details } = question;
  if (details !== undefined) {
    process.stderr.write(`${details}\n\n`);
  }
  return typed === undefined ? askYesOrNo(text) : askToType(text, typed);
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

/** Prompts draw on standard error: standard output is for the result. Loads inquirer when needed. */
async function openPrompt() {
  const { createPromptModule } = await import('inquirer');
  return createPromptModule({ output: process.stderr });
}

/** Prompts for a missing option; returns the text of its value. */
export async function askFor(option: Option): Promise<string> {
  const { ask = 'input', choices = [] } = option;
  const prompt = await openPrompt();
  const message = `${labelOf(option)}:`;
  const validate = (text: string) => inputIssue(option, text) ?? true;
  if (ask === 'checkbox') {
    const { answer } = await prompt<{ answer: string[] }>([
      { name: 'answer', type: ask, message, choices: [...choices], required: true },
    ]);
    return answer.join(',');
  }
  const question =
    ask === 'select'
      ? { name: 'answer', type: ask, message, choices: [...choices] }
      : ask === 'password'
        ? { name: 'answer', type: ask, message, mask: '*', validate }
        : { name: 'answer', type: ask, message, validate };
  const { answer } = await prompt<{ answer: string }>([question]);
  return answer;
}

/** The noun of a prompt: `--time-zone <zone>` is "Time zone". */
export function labelOf({ flag, label }: Pick<Option, 'flag' | 'label'>): string {
  const [, name = flag] = /--([\w-]+)/.exec(flag) ?? [];
  const words = name.replaceAll(/(?<!^sub)-/g, ' ');
  return label ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Prompts for exactly this text; any other input is a no. */
async function askToType(message: string, expected: string): Promise<boolean> {
  const prompt = await openPrompt();
  const { answer } = await prompt<{ answer: string }>([{ name: 'answer', type: 'input', message }]);
  return answer.trim() === expected;
}

async function askYesOrNo(message: string): Promise<boolean> {
  const prompt = await openPrompt();
  const { answer } = await prompt<{ answer: boolean }>([
    { name: 'answer', type: 'confirm', message, default: false },
  ]);
  return answer;
}

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
