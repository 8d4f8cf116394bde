import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Job } from '#core/job-type.ts';
import { jobHandlers } from '#registry/job-handlers.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const isJob = (value: unknown): value is Job =>
  typeof value === 'object' && value !== null && 'payload' in value && 'maxAttempts' in value;

/** The worker keeps one handler per name: a second one would silently replace the first. */
test('every declared job has exactly one handler', async () => {
  const files = globSync('src/**/*.jobs.ts', { cwd: ROOT });
  const modules: Readonly<Record<string, unknown>>[] = await Promise.all(
    files.map((file) => import(pathToFileURL(resolve(ROOT, file)).href)),
  );
  const declared = modules.flatMap((module) => Object.values(module).filter(isJob));
  const names = jobHandlers.map(({ job }) => job.name);
  expect(declared.length).toBeGreaterThan(10);
  expect(declared.filter(({ name }) => !names.includes(name))).toEqual([]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
