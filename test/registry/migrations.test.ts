import { expect, test } from 'vitest';
import { migrationNames } from '#registry/migration-names.ts';
import { migrations } from '#registry/migrations.ts';

test('the steps in the folder are those of the list, in its order', () => {
  expect(migrationNames()).toEqual(migrations.map(({ name }) => ({ name })));
  expect(migrations.length).toBeGreaterThan(20);
});
