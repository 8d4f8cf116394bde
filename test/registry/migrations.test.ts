import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrations } from '#registry/migrations.ts';

test('the migrations in the folder are those of the list, in order', () => {
  expect(migrationNames()).toEqual(migrations.map(({ name }) => ({ name })));
  expect(migrations.length).toBeGreaterThan(20);
});
