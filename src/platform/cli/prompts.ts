import { createPromptModule } from 'inquirer';
import type { Option } from '#kit/command.ts';

/** Prompts draw on standard error: standard output belongs to what the command answers. */
const prompt = createPromptModule({ output: process.stderr });

/** Asks for an option that was left out; answers the text that could have been typed for it. */
export async function askFor(option: Option): Promise<string> {
  const { help, ask = 'input', choices = [] } = option;
  const message = `${help}:`;
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
