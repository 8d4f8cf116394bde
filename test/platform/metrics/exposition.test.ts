import { describe, expect, test } from 'vitest';
import { exposition, gauge } from '#platform/metrics/exposition.ts';

describe('exposition', () => {
  test('has help, type and a line per sample, and ends with a line feed', () => {
    expect(exposition([gauge('a_b', 'Says a.', 1.5)])).toBe(
      '# HELP a_b Says a.\n# TYPE a_b gauge\na_b 1.5\n',
    );
  });

  test('escapes characters that would end a label', () => {
    const samples = [{ labels: { route: 'a"b\\c\nd', status: 200 }, value: 1, suffix: '_sum' }];
    expect(exposition([{ name: 'm', type: 'histogram', help: 'M.', samples }])).toContain(
      'm_sum{route="a\\"b\\\\c\\nd",status="200"} 1\n',
    );
  });
});
