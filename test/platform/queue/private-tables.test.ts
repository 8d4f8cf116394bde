import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requireGraphileVersion } from '#platform/queue/private-tables.ts';

const INSTALLED = JSON.parse(
  readFileSync(
    new URL('../../../node_modules/graphile-worker/package.json', import.meta.url),
    'utf8',
  ),
) as { readonly version: string };

test('accepts the installed graphile-worker', () => {
  expect(() => requireGraphileVersion(INSTALLED.version)).not.toThrow();
});

test('rejects any other graphile-worker, and names both versions', () => {
  expect(() => requireGraphileVersion('0.19.0')).toThrow(/version 0\.19\.0, but .* 0\.18\.0/);
});
