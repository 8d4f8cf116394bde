import { expect, test } from 'vitest';
import { suggestPath } from '#platform/http/unknown-path.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const suggest = suggestPath(['/api/v1/contacts']);

test('finds the path before trailing slashes', () => {
  expect(suggest('/api/v1/contacts///')).toContain('did you mean /api/v1/contacts?');
  expect(suggest('///')).toContain('no such path');
});

// A caller without a key could keep the process busy with eight such paths a second.
test('reads a path of nothing but slashes in linear time', () => {
  const path = `${'/'.repeat(15_500)}x`;
  expect(cpuMs(() => suggest(path))).toBeLessThan(50);
});
