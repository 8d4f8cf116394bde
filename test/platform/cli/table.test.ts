import { describe, expect, test } from 'vitest';
import { displayWidth } from '#platform/cli/display-width.ts';
import { relativeTime, tableOf, type Format } from '#platform/cli/table.ts';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const plain = (text: string) => text;
const terminal = (width: number): Format => ({ width, now: NOW, wide: false, bold: plain });
const WIDE: Format = { width: undefined, now: undefined, wide: true, bold: plain };
const PIPE: Format = { ...WIDE, wide: false };

const KEYS = [
  {
    id: '0198c0de-0000-7000-8000-000000000000',
    name: 'Website',
    prefix: 'sk_live_abcd',
    state: 'active',
    scopes: 'all',
    expiresAt: '2026-11-29T12:00:00.000Z',
    lastUsedAt: '2026-11-22T11:57:00.000Z',
  },
  {
    id: '0198c0de-0000-7000-8000-000000000001',
    name: 'Reporting',
    prefix: 'sk_live_efgh',
    state: 'revoked',
    scopes: 3,
    expiresAt: null,
    lastUsedAt: null,
  },
];

describe('a table on a terminal', () => {
  test.each([80, 100, 120])('fits %i columns', (width) => {
    const lines = tableOf({ json: KEYS }, terminal(width)).split('\n');
    expect(lines.filter((line) => displayWidth(line) > width)).toEqual([]);
  });

  test('of 80 columns drops the last columns, and names them', () => {
    expect(tableOf({ json: KEYS }, terminal(80))).toBe(
      [
        'id                                    name       prefix        state    scopes',
        '0198c0de-0000-7000-8000-000000000000  Website    sk_live_abcd  active   all',
        '0198c0de-0000-7000-8000-000000000001  Reporting  sk_live_efgh  revoked  3',
        '',
        'Not shown: expiresAt, lastUsedAt (use --wide or --json)',
      ].join('\n'),
    );
  });

  test('of 80 columns names many dropped columns on several lines', () => {
    const names = ['lastSuccessAt', 'consecutiveFailures', 'subscribedTo', 'disabledReason'];
    const row = Object.fromEntries(names.map((name) => [name, 'x'.repeat(40)]));
    const text = tableOf({ json: [{ id: KEYS[0]?.id, ...row }] }, terminal(80));
    expect(text).toContain('disabledReason');
    expect(text.split('\n').filter((line) => displayWidth(line) > 80)).toEqual([]);
  });

  test('of 120 columns shows all of them, with relative times', () => {
    const text = tableOf({ json: KEYS }, terminal(120));
    expect(text).not.toContain('Not shown');
    expect(text).toContain('in 7 d');
    expect(text).toContain('3 min ago');
  });

  test('gives the column that matters lines of its own where the table is too wide', () => {
    const says =
      'Book a slot: Tue, 1 Dec 2026, 09:00 (Europe/Berlin), Check-up, Ada Byron, Room 44';
    const row = { id: KEYS[0]?.id, status: 'pending', says, client: 'desktop 3' };
    const outcome = { json: [row], below: 'says' };
    expect(tableOf(outcome, terminal(80)).split('\n')).toEqual([
      'id                                    status   client',
      `${row.id}  pending  desktop 3`,
      '  Book a slot: Tue, 1 Dec 2026, 09:00 (Europe/Berlin), Check-up, Ada Byron, Room',
      '  44',
    ]);
    expect(tableOf(outcome, terminal(200))).toContain(`pending  ${says}  desktop 3`);
  });

  test('cuts free text before it drops a column, and never cuts an id', () => {
    const says = 'A very long message that goes on and on, well beyond what a line can hold.';
    const row = { id: KEYS[0]?.id, says, status: 'captured' };
    const [, line = ''] = tableOf({ json: [row] }, terminal(80)).split('\n');
    expect(line).toBe(`${row.id}  A very long message that goes o…  captured`);
  });

  test('shows an id, a time, a status and the start of an address in 80 characters', () => {
    const row = {
      id: KEYS[0]?.id,
      createdAt: '13 min ago',
      status: 'delivered',
      peer: 'zoe.papadopoulos@example.com',
    };
    const lines = tableOf({ json: [row] }, terminal(80)).split('\n');
    expect(lines[1]).toMatch(/delivered  zoe\.papadopoulos@e…$/);
    expect(lines[1]).toHaveLength(80);
  });

  test('of changes shows the moment, the actor, the operation and the record in 80 characters', () => {
    const row = {
      at: '13 min ago',
      by: 'owner@harbour.example',
      operation: 'conversations.send-message',
      recordId: KEYS[0]?.id,
    };
    const lines = tableOf({ json: [row] }, terminal(80)).split('\n');
    expect(lines[1]).toBe(`13 min ago  owner@harbour…  conversations…  ${row.recordId}`);
  });

  test('cuts a URL in its middle: the start and the end differ', () => {
    const url = (path: string) => ({ url: `http://localhost:4633/hooks/${path}`, id: KEYS[0]?.id });
    const lines = tableOf({ json: [url('erp'), url('crm')] }, terminal(60)).split('\n');
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual([
      'localhost:4…/hooks/erp',
      'localhost:4…/hooks/crm',
    ]);
    expect(tableOf({ json: [url('')] }, terminal(62)).split('\n')[1]).toMatch(
      /^localhost:4633\/hooks\/ /,
    );
  });

  test('counts characters that take two cells, and cuts between whole ones', () => {
    const row = { name: '東京歯科 クリニック 東京歯科 クリニック', id: KEYS[0]?.id };
    const lines = tableOf({ json: [row] }, terminal(60)).split('\n');
    expect(lines.filter((line) => displayWidth(line) > 60)).toEqual([]);
    expect(lines[1]).toMatch(/…\s+0198c0de-0000-7000-8000-000000000000$/);
  });

  test('cuts the first column where it alone is too wide', () => {
    const lines = tableOf({ json: [{ id: KEYS[0]?.id }] }, terminal(20)).split('\n');
    expect(lines[1]).toBe('0198c0de-0000-7000-…');
  });

  test('strips control characters', () => {
    const row = { name: 'Ada\u001B[2J\u009B1mL\nB', id: 1 };
    expect(tableOf({ json: [row] }, terminal(80)).split('\n')[1]).toBe('Ada[2J1mL B  1');
  });

  test('without rows prints none', () => {
    expect(tableOf({ json: [] }, terminal(80))).toBe('none');
  });
});

describe('everything is shown', () => {
  test('with --wide: fields that the table leaves out, and times in full', () => {
    const table = KEYS.map(({ id, name }) => ({ id, name }));
    const text = tableOf({ json: KEYS, table }, WIDE);
    expect(text.split('\n')[0]).toMatch(/^id +name +prefix +state +scopes +expiresAt +lastUsedAt$/);
    expect(text).toContain('2026-11-22T11:57:00.000Z');
  });

  test('in a pipe: each column of the table, however wide', () => {
    const text = tableOf({ json: KEYS }, PIPE);
    expect(text.split('\n')[0]).toContain('lastUsedAt');
    expect(text).toContain('2026-11-29T12:00:00.000Z');
  });
});

test('one record is a line for each field, with inner fields named by both words', () => {
  const record = { id: 'x', recipients: { sent: 3, failed: 0 }, tags: ['a', 'b'], at: null };
  expect(tableOf({ json: record }, terminal(80))).toBe(
    [
      'id                 x',
      'recipients sent    3',
      'recipients failed  0',
      'tags               a, b',
      'at                 –',
    ].join('\n'),
  );
});

test.each([
  ['2026-11-22T12:00:00.400Z', 'just now'],
  ['2026-11-22T11:59:15.000Z', '45 s ago'],
  ['2026-11-22T11:01:00.000Z', '59 min ago'],
  ['2026-11-22T14:30:00.000Z', 'in 2 h'],
  ['2026-11-20T11:00:00.000Z', '2 d ago'],
  ['2026-10-01T00:00:00.000Z', '2026-10-01'],
  ['2027-01-01T00:00:00.000Z', '2027-01-01'],
])('the time %s is shown as "%s"', (at, shown) => {
  expect(relativeTime(new Date(at), NOW)).toBe(shown);
});
