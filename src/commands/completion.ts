import { defineCommand, type Command } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { completionScript } from '#platform/cli/completion/completion.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof SHELLS)[number];

/** The command that prints the completion of all commands. */
export const completionOf = (all: () => Promise<readonly Command[]>): Command =>
  defineCommand()({
    path: 'completion',
    summary: 'Print the shell completion script',
    arguments: ['shell'],
    argumentChoices: { shell: SHELLS },
    options: {},
    examples: [
      'source <(frontdesk completion bash)',
      'frontdesk completion fish > ~/.config/fish/completions/frontdesk.fish',
    ],
    context: 'none',
    async run(_, { shell }) {
      if (!isShell(shell)) {
        throw new UsageFault(`unknown shell "${shell}"; use ${SHELLS.join(', ')}`);
      }
      const script = completionScript(shell, await all());
      return { json: script, text: script.trimEnd() };
    },
  });

const isShell = (name: string): name is Shell => (SHELLS as readonly string[]).includes(name);
