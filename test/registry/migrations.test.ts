import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrations } from '#registry/migrations.ts';

test('lists every file of migrations/, in the order of their names', () => {
  const files = readdirSync('migrations').filter((file) => file.endsWith('.ts'));
  expect(migrations.map(({ name }) => `${name}.ts`)).toEqual(files.sort());
  expect(migrations.length).toBeGreaterThan(20);
});
