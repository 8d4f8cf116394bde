import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FRONTDESK } from '../processes.ts';
import type { Ground } from '../ground.ts';
import { residentMb } from '../machine.ts';
import type { Scenario } from '../scenario.ts';

const ROWS_PER_SECOND = 10_000;
/** The allowed growth of memory for five times the rows. */
const GROWTH_AT_MOST = 1.15;
const TIMES = 5;
const LOOK_EVERY_MS = 50;

export const importCsv: Scenario = {
  name: 'import-csv',
  async measure(ground) {
    const few = await importRows(ground, ground.sizing.rows / 20);
    const many = await importRows(ground, (ground.sizing.rows / 20) * TIMES);
    return [
      {
        what: 'rows of a file, each a new contact',
        unit: 'rows/s',
        product: many.perSecond,
        bound: { atLeast: ROWS_PER_SECOND },
      },
      {
        what: `peak memory at ${TIMES} times the rows`,
        unit: 'MB',
        bare: few.peakMb,
        product: many.peakMb,
        ratio: many.peakMb / few.peakMb,
        bound: { atMost: GROWTH_AT_MOST },
      },
    ];
  },
};

async function importRows({ env, spare, scratch }: Ground, rows: number) {
  const file = join(scratch, `contacts-${rows}.csv`);
  await writeFile(file, csvOf(rows));
  const args = ['admin', 'contact', 'import', file, '--sub-account', spare.id, '--json', '--yes'];
  const startedAt = performance.now();
  const running = promisify(execFile)(FRONTDESK, args, { env: { ...process.env, ...env } });
  let peakMb = 0;
  const look = async () => {
    peakMb = Math.max(peakMb, (await residentMb(running.child.pid ?? 0)) ?? 0);
  };
  const looking = setInterval(() => void look(), LOOK_EVERY_MS);
  const { stdout } = await running.finally(() => clearInterval(looking));
  const { created } = JSON.parse(stdout) as { created: number };
  if (created !== rows) {
    throw new Error(`the import created ${created} of ${rows} contacts: ${stdout.slice(0, 500)}`);
  }
  return { peakMb, perSecond: rows / ((performance.now() - startedAt) / 1_000) };
}

/** A file of new contacts. */
export function csvOf(rows: number): string {
  const lines = ['firstName,lastName,email,phone,company,tags'];
  const run = Date.now();
  for (let n = 0; n < rows; n += 1) {
    const phone = `+4930${12_345_678 + n}`;
    lines.push(`Ada,Import,ada.${run}.${n}@example.net,${phone},Import GmbH,newsletter;vip`);
  }
  return lines.join('\n');
}
