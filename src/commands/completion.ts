import { defineCommand, type Command, type CommandDeclaration } from '#core/command.ts';
import { completionScript } from '#platform/cli/completion/completion.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof SHELLS)[number];

/** The command that prints the completion of all commands. */
export const completionOf = (all: () => Promise<readonly CommandDeclaration[]>): Command =>
  defineCommand()({
    path: 'completion',
    summary: 'Print the shell completion script',
    arguments: ['shell'],
    argumentChoices: { shell: SHELLS },
    examples: [
      'source <(frontdesk completion bash)',
      'frontdesk completion fish > ~/.config/fish/completions/frontdesk.fish',
    ],
    context: 'none',
    async run(_, { shell }) {
      const script = completionScript(shell as Shell, await all());
      return { json: script, text: script.trimEnd() };
    },
  });
