import type { Command } from '#kit/command.ts';
import { auditCommands } from '../commands/admin/audit.ts';
import { contactCommands } from '../commands/admin/contact.ts';
import { keyCommands } from '../commands/admin/key.ts';
import { manifestCommands } from '../commands/admin/manifest.ts';
import { subAccountCommands } from '../commands/admin/sub-account.ts';
import { suppressionCommands } from '../commands/admin/suppression.ts';

/** Every command of `frontdesk admin`. */
export const adminCommands: readonly Command[] = [
  ...subAccountCommands,
  ...keyCommands,
  ...auditCommands,
  ...manifestCommands,
  ...contactCommands,
  ...suppressionCommands,
];
