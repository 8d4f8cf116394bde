import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FAULTS } from '#core/fault.ts';
import { FAULT_EXAMPLES } from '#platform/openapi/responses.ts';
import { errorsPage } from '../../docs/build.ts';
import { REASON_MEANINGS } from '../../docs/reference/reason-meanings.ts';

const SOURCES = join(import.meta.dirname, '../../src');

/** Why an address is suppressed, and why a message was skipped: not the reason of an error. */
const OTHERS = new Set(['bounce', 'dnd', 'manual', 'stop', 'unsubscribe']);

/** Every `reason: '…'` of the sources. */
const reasons = new Set(
  globSync('**/*.ts', { cwd: SOURCES })
    .flatMap((file) => [
      ...readFileSync(join(SOURCES, file), 'utf8').matchAll(/\breason: '([a-z_]+)'/g),
    ])
    .map(([, reason = '']) => reason)
    .filter((reason) => !OTHERS.has(reason)),
);

const headings = new Set(errorsPage().match(/(?<=^#{2,3} ).*$/gm));

describe('the page of errors', () => {
  test('has an anchor for every code', () => {
    expect(Object.keys(FAULTS).filter((code) => !headings.has(code))).toEqual([]);
  });

  test('has an anchor for every reason of the sources', () => {
    expect(reasons.size).toBeGreaterThan(10);
    expect([...reasons].filter((reason) => !headings.has(reason))).toEqual([]);
  });

  test('shows messages of campaigns as the API sends them: after their code', () => {
    const codes = Object.keys(FAULTS).filter((code) => code === code.toLowerCase());
    for (const code of codes) {
      expect(FAULT_EXAMPLES[code]?.value.error.message).toMatch(`${code}: `);
    }
  });

  test('explains no reason twice, and none with an empty remedy', () => {
    expect(new Set(Object.keys(REASON_MEANINGS)).size).toBe(
      headings.size - Object.keys(FAULTS).length - 1,
    );
    for (const { means, remedy } of Object.values(REASON_MEANINGS)) {
      expect([means, remedy]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)]);
    }
  });
});
