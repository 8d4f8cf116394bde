import { createPromptModule } from 'inquirer';
import type { Option } from '#core/command.ts';

/** Prompts draw on standard error: standard output is for the result of the command. */
const prompt = createPromptModule({ output: process.stderr });

/** Asks for an option that was left out; returns the text that could have been typed for it. */
export async function askFor(option: Option): Promise<string> {
  const { ask = 'input', choices = [] } = option;
  const message = `${labelOf(option)}:`;
  const validate = (text: string) => whatIsWrong(option, text) ?? true;
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

/** Asks for exactly this text; anything else counts as a no. */
export async function askToType(message: string, wanted: string): Promise<boolean> {
  const { answer } = await prompt<{ answer: string }>([{ name: 'answer', type: 'input', message }]);
  return answer.trim() === wanted;
}

export async function askYesOrNo(message: string): Promise<boolean> {
  const { answer } = await prompt<{ answer: boolean }>([
    { name: 'answer', type: 'confirm', message, default: false },
  ]);
  return answer;
}

function whatIsWrong({ parse }: Option, text: string): string | undefined {
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
