import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isLeftOut } from './peers.ts';

/** The parts of vitest's JSON report that are read here. */
export interface Report {
  readonly testResults?: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

interface Count {
  readonly passed: number;
  readonly failed: number;
  /** Failures without a failed test, one line each. */
  readonly problems: readonly string[];
}

/**
 * Counts the tests of a run in which nothing may be missing: a skipped test and a file without a
 * result have failed.
 */
export function countTests({ testResults = [] }: Report, files: readonly string[]): Count {
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ title: `${name} > ${fullName}`, status })),
  );
  const of = (...statuses: readonly string[]) =>
    tests.filter(({ status }) => statuses.includes(status));
  const seen = new Set(testResults.map(({ name }) => name));
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const [passed, failed] = [of('passed'), of('failed')];
  const problems = [
    ...tests
      .filter((test) => !passed.includes(test) && !failed.includes(test))
      .map(({ title }) => `skipped: ${title}`),
    ...broken.map(({ name }) => `failed outside of its tests: ${name}`),
    ...files.filter((file) => !seen.has(file)).map((file) => `did not run: ${file}`),
  ];
  return { passed: passed.length, failed: failed.length + problems.length, problems };
}

/** Prints `<passed> <failed>` of the report in the file that the first argument names. */
function main([path = '']: readonly string[]): void {
  const text = readFileSync(path, 'utf8');
  const report = JSON.parse(text || '{}') as Report;
  const testResults = (report.testResults ?? []).map((file) => {
    return { ...file, name: relative(process.cwd(), file.name) };
  });
  const files = globSync('test/**/*.test.ts').filter((file) => !isLeftOut(file));
  const { passed, failed, problems } = countTests({ testResults }, files);
  problems.forEach((problem) => process.stderr.write(`${problem}\n`));
  process.stdout.write(`${passed} ${failed}\n`);
}

if (import.meta.main) {
  main(process.argv.slice(2));
}
