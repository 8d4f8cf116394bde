import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandDeclaration } from '#core/command.ts';

/** What `npm run build` writes beside the bundle. Beside the sources there is none. */
export const DECLARATIONS = 'commands.json';

/**
 * Returns what help and completion say about all commands. In the bundle it is read: loading the modules
 * of all commands takes three times as long as everything else that help does.
 */
export async function declaredCommands(
  load: () => Promise<readonly CommandDeclaration[]>,
): Promise<readonly CommandDeclaration[]> {
  const path = join(import.meta.dirname, DECLARATIONS);
  const built = await readFile(path, 'utf8').catch(() => undefined);
  return built === undefined ? load() : (JSON.parse(built) as CommandDeclaration[]);
}
