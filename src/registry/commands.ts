import type { Command } from '#core/command.ts';
import { backupCommands } from '../commands/backup.ts';
import { completionOf } from '../commands/completion.ts';
import { doctor } from '../commands/doctor.ts';
import { install, uninstall } from '../commands/install.ts';
import { migrate } from '../commands/migrate.ts';
import { openapi } from '../commands/openapi.ts';
import { restore } from '../commands/restore.ts';
import { serve } from '../commands/serve.ts';
import { up } from '../commands/up.ts';
import { worker } from '../commands/worker.ts';

type Load = () => Promise<readonly Command[]>;

/** Every command by its first word, so that `serve` loads no module of `admin`. */
export const commandGroups: Readonly<Record<string, Load>> = {
  up: async () => [up],
  migrate: async () => [migrate],
  serve: async () => [serve],
  worker: async () => [worker],
  admin: async () => (await import('./admin-commands.ts')).adminCommands,
  webhook: async () => [(await import('../commands/webhook-listen.ts')).webhookListen],
  doctor: async () => [doctor],
  backup: async () => backupCommands,
  restore: async () => [restore],
  install: async () => [install],
  uninstall: async () => [uninstall],
  openapi: async () => [openapi],
  completion: async () => [completionOf(allCommands)],
};

export async function allCommands(): Promise<readonly Command[]> {
  const groups = await Promise.all(Object.values(commandGroups).map((load) => load()));
  return groups.flat();
}
