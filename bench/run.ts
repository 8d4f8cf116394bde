import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepareGround, type Sizing } from './ground.ts';
import { loggedErrors } from './logged-errors.ts';
import { installPeers } from './peers/install.ts';
import { peers } from './peers/peers.ts';
import { problemsIn, runScenarios } from './run-scenarios.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { tableOf, type Results } from './table.ts';

const FULL: Sizing = {
  rows: 1_000_000,
  rounds: 7,
  seconds: 5,
  warmUpSeconds: 3,
  minuteSeconds: 60,
};
const QUICK: Sizing = {
  rows: 100_000,
  rounds: 5,
  seconds: 2,
  warmUpSeconds: 1,
  minuteSeconds: 15,
};

const USAGE = `npm run bench -- [scenario…] [--peers] [--quick] [--json] [--data DIR]

Measures the product against bare baselines in one run and prints their ratios. The exit code is 1 when
a bound is missed, a scenario fails, or the product logs an error. --quick loads a tenth of the rows; --data keeps the loaded database for the next run; --peers
measures other products and libraries beside Frontdesk, and installs them with its first use.

Scenarios: ${scenarios.map(({ name }) => name).join(', ')}
With --peers: ${peers.map(({ name }) => name).join(', ')}
`;

const say = (line: string) => void process.stderr.write(`bench: ${line}\n`);

async function main(): Promise<0 | 1 | 2> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      data: { type: 'string' },
      peers: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const listed = values.peers ? peers : scenarios;
  const unknown = positionals.filter((name) => !listed.some((one) => one.name === name));
  if (values.help || unknown.length > 0) {
    process.stderr.write(USAGE);
    return values.help ? 0 : 2;
  }
  const chosen = listed.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const resources = new AsyncDisposableStack();
  try {
    if (values.peers) {
      await installPeers(say);
    }
    const measuring = measure(chosen, values.quick ? QUICK : FULL, values.data, resources);
    const results = await Promise.race([measuring, interruption()]);
    process.stdout.write(`${values.json ? jsonOf(results) : tableOf(results)}\n`);
    const problems = problemsIn(results);
    problems.forEach(say);
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  } finally {
    await resources.disposeAsync();
  }
}

/** `resources` are disposed in reverse order, also after Ctrl-C. */
async function measure(
  chosen: readonly Scenario[],
  sizing: Sizing,
  keepIn: string | undefined,
  resources: AsyncDisposableStack,
): Promise<Results> {
  const scratch = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'));
  resources.defer(() => rm(scratch, { recursive: true, force: true }));
  const ground = await prepareGround({ sizing, scratch, keepIn, resources, say });
  const errors = loggedErrors([ground.productLog, join(scratch, 'worker.log')]);
  return runScenarios(chosen.map(afterCheckpoint), { ground, errors, say });
}

/** A checkpoint with writes of an earlier scenario would slow this one down. */
const afterCheckpoint = ({ name, measure: run }: Scenario): Scenario => ({
  name,
  async measure(ground) {
    await ground.sql.query('checkpoint');
    return run(ground);
  },
});

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Error(`ended by ${signal}`)));
    }
  });
}

const jsonOf = (results: Results): string => JSON.stringify(Object.fromEntries(results), null, 2);

process.exit(await main());
