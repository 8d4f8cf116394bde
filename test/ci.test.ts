import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countTests, type Report } from './support/ci-report.ts';

type File = NonNullable<Report['testResults']>[number];

const fileOf = (name: string, statuses: readonly string[], status = 'passed'): File => ({
  name,
  status,
  assertionResults: statuses.map((one, n) => ({ fullName: `rule ${n}`, status: one })),
});

describe('the tests of a run', () => {
  test('are counted as passed and failed', () => {
    const testResults = [
      fileOf('a.test.ts', ['passed', 'passed']),
      fileOf('b.test.ts', ['passed', 'failed'], 'failed'),
    ];
    expect(countTests({ testResults }, ['a.test.ts', 'b.test.ts'])).toEqual({
      passed: 3,
      failed: 1,
      problems: [],
    });
  });

  test('count as failed if they were skipped, and are named', () => {
    const testResults = [fileOf('a.test.ts', ['passed', 'skipped', 'pending', 'todo'])];
    const { failed, problems } = countTests({ testResults }, ['a.test.ts']);
    expect({ failed, problems }).toEqual({
      failed: 3,
      problems: [1, 2, 3].map((n) => `skipped: a.test.ts > rule ${n}`),
    });
  });

  test('count as failed if their file did not run or broke', () => {
    const testResults = [fileOf('a.test.ts', [], 'failed')];
    expect(countTests({ testResults }, ['a.test.ts', 'b.test.ts'])).toEqual({
      passed: 0,
      failed: 2,
      problems: ['failed outside of its tests: a.test.ts', 'did not run: b.test.ts'],
    });
  });

  test('count as failed without a report', () => {
    expect(countTests({}, ['a.test.ts'])).toMatchObject({ passed: 0, failed: 1 });
  });
});

/** Runs .ci/run with an `npm` that writes the given report and passes every other check. */
async function runCi(report: Report, { exitCode = 0 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-ci-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'report.json'), JSON.stringify(report));
  const npm = `#!/bin/sh
    for word; do
      case $word in --outputFile.json=*) cp '${folder}/report.json' "\${word#*=}" ;; esac
    done
    [ "$1" != test ] || exit ${exitCode}`;
  for (const [name, script] of Object.entries({ npm, 'apt-get': '#!/bin/sh' })) {
    await writeFile(join(folder, name), script);
    await chmod(join(folder, name), 0o755);
  }
  const { PATH, HOME } = process.env;
  const env = { HOME, PATH: `${folder}:${PATH}` };
  const { status, stdout, stderr } = spawnSync('.ci/run', { env, encoding: 'utf8' });
  return { status, last: stdout.trim().split('\n').at(-1), stderr };
}

describe('.ci/run', () => {
  const testResults = globSync('test/**/*.test.ts').map((name) =>
    fileOf(resolve(name), ['passed']),
  );
  const four = 4;

  test('ends with the numbers of passed and failed, including the four other checks', async () => {
    const { status, last } = await runCi({ testResults });
    expect({ status, last }).toEqual({
      status: 0,
      last: `${testResults.length + four} passed, 0 failed`,
    });
  });

  test('fails if a file did not run, and names it', async () => {
    const [left] = globSync('test/**/*.test.ts');
    const { status, last, stderr } = await runCi({ testResults: testResults.slice(1) });
    expect({ status, last }).toEqual({
      status: 1,
      last: `${testResults.length - 1 + four} passed, 1 failed`,
    });
    expect(stderr).toContain(`did not run: ${left}`);
  });

  test('fails if the run broke although no test failed', async () => {
    const { status, last } = await runCi({ testResults }, { exitCode: 1 });
    expect({ status, last }).toEqual({
      status: 1,
      last: `${testResults.length + four} passed, 1 failed`,
    });
  });
});
