import type { Command } from '#core/command.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { placesOf, valuesOf } from './places.ts';
import { zshCompletion } from './zsh.ts';

/** A static script: completing starts no process of ours, so it is at once there. */
export function completionScript(
  shell: 'bash' | 'zsh' | 'fish',
  commands: readonly Command[],
): string {
  const print = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell];
  return print(placesOf(commands), commands.flatMap(valuesOf));
}
