import type { Command } from '#core/command.ts';
import { backupCommands } from './backup.ts';
import { completionOf } from './completion.ts';
import { doctor } from './doctor.ts';
import { installOf, uninstall } from './install.ts';
import { migrate } from './migrate.ts';
import { openapi } from './openapi.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { up } from './up.ts';
import { worker } from './worker.ts';

type Load = () => Promise<readonly Command[]>;

/** Every command by its first word, so that `serve` loads no module of `admin`. */
export const commandGroups: Readonly<Record<string, Load>> = {
  up: async () => [up],
  migrate: async () => [migrate],
  serve: async () => [serve],
  worker: async () => [worker],
  admin: async () => (await import('./admin/admin-commands.ts')).adminCommands,
  webhook: async () => [(await import('./webhook-listen.ts')).webhookListen],
  doctor: async () => [doctor],
  backup: async () => backupCommands,
  restore: async () => [restore],
  install: async () => [installOf(allCommands)],
  uninstall: async () => [uninstall],
  openapi: async () => [openapi],
  completion: async () => [completionOf(allCommands)],
};

export async function allCommands(): Promise<readonly Command[]> {
  const groups = await Promise.all(Object.values(commandGroups).map((load) => load()));
  return groups.flat();
}
