import { describe, expect, test } from 'vitest';
import schema from '../../config/manifest.schema.json' with { type: 'json' };
import { pathAbove, schemasAt } from '../../web/console/settings/manifest/complete-manifest.ts';

const at = (text: string): string[] => {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const indent = /^ */.exec(last)?.[0].length ?? 0;
  const dashed = last.trimStart().startsWith('- ');
  const path = pathAbove(dashed ? [...lines, `${last}x`] : lines, dashed ? indent + 2 : indent);
  return path.map((step) => (typeof step === 'string' ? step : '[]'));
};

describe('the path of a line', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['chat:\n  ', ['chat']],
    ['chat:\n  title: Hello\n\n  # a comment\n  ', ['chat']],
    ['chat:\n  title: Hello\n', []],
    ['team:\n  - ', ['team', '[]']],
    ['team:\n  - key: anna\n    ', ['team', '[]']],
    ['team:\n- key: anna\n  ', ['team', '[]']],
    ['team:\n  - key: anna\n    name: Anna\n  - ', ['team', '[]']],
    [
      'calendars:\n  - key: a\n    types:\n      - key: b\n        ',
      ['calendars', '[]', 'types', '[]'],
    ],
    ['channels:\n  email:\n    imap:\n      ', ['channels', 'email', 'imap']],
  ])('%j', (text, path) => {
    expect(at(text)).toEqual(path);
  });
});

test('the schema at a path has the members of the manifest', () => {
  const names = (path: string[]) =>
    schemasAt(schema, path).flatMap(({ properties = {} }) => Object.keys(properties));
  expect(names([])).toContain('calendars');
  expect(names(['chat'])).toContain('welcomeMessage');
  expect(names(['channels', 'email'])).toContain('provider');
  expect(names(['nothing', 'like', 'this'])).toEqual([]);
});
