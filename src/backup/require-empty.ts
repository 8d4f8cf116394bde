import { Fault } from '#core/fault.ts';
import { quoted, type Ask } from './catalogue.ts';
import type { TableHead } from './format.ts';

/** Of the installation itself: migrating writes it. */
const INSTALLATION = 'installation';

/** Refuses a database that holds anything: a restore would replace it. */
export async function requireEmpty(ask: Ask, tables: readonly TableHead[]): Promise<void> {
  const full: string[] = [];
  for (const { table } of tables) {
    if (table !== INSTALLATION) {
      const rows = await ask(`select from ${quoted(table)} limit 1`);
      full.push(...(rows.length > 0 ? [table] : []));
    }
  }
  if (full.length > 0) {
    throw new Fault(
      'VALIDATION_ERROR',
      `the database is not empty (${full.slice(0, 3).join(', ')}${full.length > 3 ? ', …' : ''}); --force replaces its data with the backup`,
    );
  }
}
