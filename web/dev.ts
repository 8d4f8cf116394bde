import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { watchConsole } from './build-console.ts';

/**
 * Serves the product with the console rebuilt on every save: `npm run dev`, with the options of
 * `frontdesk up`. Run `node web/build.ts` before a commit: the built files of a release are smaller.
 */
const ending = new AbortController();
await watchConsole(ending.signal);
const server = spawn(
  join(import.meta.dirname, '../bin/frontdesk'),
  ['up', '--demo', ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
// Both get the signal from the terminal: the server stops in its own time.
process.on('SIGINT', () => undefined);
const [code] = (await once(server, 'exit')) as [number | null];
ending.abort();
process.exitCode = code ?? 1;
