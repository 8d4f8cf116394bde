import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loggedErrors } from '../../bench/logged-errors.ts';
import { problemsIn, runScenarios } from '../../bench/run-scenarios.ts';
import type { Finding, Result, Scenario } from '../../bench/scenario.ts';

const GOOD: Finding = { what: 'rate', unit: 'requests/s', product: 10, bound: { atLeast: 5 } };

let folder: string;
let workerLog: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-test-'));
  workerLog = join(folder, 'worker.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const scenario = (name: string, measure: () => Promise<Result>): Scenario<string> => ({
  name,
  measure,
});

async function run(...scenarios: readonly Scenario<string>[]) {
  const errors = loggedErrors([join(folder, 'product.log'), workerLog]);
  const results = await runScenarios(scenarios, { ground: 'ground', errors, say: () => {} });
  return { results, problems: problemsIn(results) };
}

const logged = (level: number, message: string) =>
  appendFileSync(workerLog, `{"level":${level},"time":1,"msg":"${message}"}\n`);

describe('a run of scenarios', () => {
  test('has no problem when every bound is kept', async () => {
    const { results, problems } = await run(scenario('good', async () => [GOOD]));
    expect(problems).toEqual([]);
    expect(results.get('good')).toEqual([GOOD]);
  });

  test('says each result at once: a run may be interrupted', async () => {
    const said: string[] = [];
    await runScenarios(
      [
        scenario('good', async () => [{ ...GOOD, ratio: 0.5 }]),
        scenario('bad', async () => ({ failed: 'too slow' })),
      ],
      { ground: 'ground', errors: loggedErrors([workerLog]), say: (line) => void said.push(line) },
    );
    expect(said).toEqual([
      'good…',
      '  rate: 10.0 requests/s, ratio 0.50',
      'bad…',
      '  failed: too slow',
    ]);
  });

  test('names the scenario that failed, and still runs the others', async () => {
    const { results, problems } = await run(
      scenario('bad', async () => {
        throw new Error('waited 60 s in vain');
      }),
      scenario('good', async () => [GOOD]),
    );
    expect(problems).toEqual(['FAILED: bad: Error: waited 60 s in vain']);
    expect(results.get('good')).toEqual([GOOD]);
  });

  test('names the scenario whose bound was missed', async () => {
    const { problems } = await run(scenario('slow', async () => [{ ...GOOD, product: 4 }]));
    expect(problems).toEqual(['MISSED: slow: rate']);
  });

  test.each([Number.NaN, Infinity])('counts a figure of %s as missed', async (product) => {
    const unbounded: Finding = { what: 'rate', unit: 'ms', product };
    const { problems } = await run(scenario('odd', async () => [{ ...GOOD, product }, unbounded]));
    expect(problems).toEqual(['MISSED: odd: rate', 'MISSED: odd: rate']);
  });

  test('counts a scenario without findings as failed', async () => {
    const { problems } = await run(scenario('empty', async () => []));
    expect(problems).toEqual(['FAILED: empty: it found nothing']);
  });

  test('counts a scenario during which the worker logged an error as failed', async () => {
    writeFileSync(workerLog, '');
    logged(50, 'before the first scenario');
    const { problems } = await run(
      scenario('quiet', async () => {
        logged(40, 'a warning');
        return [GOOD];
      }),
      scenario('loud', async () => {
        logged(50, 'a deadlock');
        return [GOOD];
      }),
      scenario('after', async () => [GOOD]),
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^FAILED: loud: the product logged 1 error\(s\): .*a deadlock/);
  });

  test('shows what the worker logged beside the reason of a failure', async () => {
    const { problems } = await run(
      scenario('bad', async () => {
        logged(60, 'the queue stopped');
        throw new Error('waited in vain');
      }),
    );
    expect(problems[0]).toMatch(/^FAILED: bad: Error: waited in vain .*the queue stopped/);
  });
});
