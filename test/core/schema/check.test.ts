import { Type } from 'typebox';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, issuesOf } from '#core/schema/check.ts';
import { pattern, valuesCalled } from '#core/schema/describe-error.ts';
import { Fault, invalid, pointerToken } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';

const AT = '2026-11-26T09:00:00Z';

const schema = s.request({
  name: s.shortText({ maxLength: 5 }),
  ...s.partial({
    id: s.uuid(),
    email: s.nullable(s.email()),
    kind: s.nullable(s.oneOf(['a', 'b'])),
    count: Type.Integer({ minimum: 1 }),
    ids: Type.Array(s.uuid()),
    inner: s.request({
      at: s.isoTime(),
      ...s.partial({
        windows: Type.Array(Type.String(), { examples: [['09:00-17:00']] }),
        length: Type.Integer({ ...valuesCalled('whole minutes'), examples: [30] }),
        long: Type.Array(Type.String(), { examples: [['x'.repeat(40)]] }),
      }),
    }),
    either: Type.Union([Type.String(), s.request({ at: s.isoTime() })]),
    hours: Type.String(pattern('^\\d\\d:00-\\d\\d:00$', 'must be hours, for example 09:00-17:00')),
    some: Type.Array(Type.Integer(), { minItems: 1, uniqueItems: true }),
    yes: Type.Literal(true),
    named: Type.Unsafe({ type: 'object', propertyNames: { maxLength: 1 } }),
  }),
});

const KNOWN = `known fields: ${Object.keys(schema.properties).join(', ')}`;

describe('the issues of a value', () => {
  test.for([
    [{}, '/name', 'is required'],
    [{ name: 'x', more: 1 }, '/more', `is not a known field here; ${KNOWN}`],
    [{ name: 'x', emial: 1 }, '/emial', 'is not a known field here; did you mean "email"?'],
    [{ name: 'x', 'a/b~': 1 }, '/a~1b~0', `is not a known field here; ${KNOWN}`],
    [{ name: 1 }, '/name', 'must be a string, not a number'],
    [{ name: '' }, '/name', 'must not be empty'],
    [{ name: ' ' }, '/name', 'must not be blank'],
    [{ name: '\u200B\u2060\u3164' }, '/name', 'must not be blank'],
    [{ name: 'toolong' }, '/name', 'must have at most 5 characters, not 7'],
    [{ name: 'x', email: 1 }, '/email', 'must be a string or null, not a number'],
    [{ name: 'x', email: 'x' }, '/email', 'must be an email address'],
    [{ name: 'x', kind: 'c' }, '/kind', 'must be one of a, b, null'],
    [{ name: 'x', count: 0 }, '/count', 'must be at least 1, not 0'],
    [{ name: 'x', count: 1.5 }, '/count', 'must be an integer, not 1.5'],
    [{ name: 'x', count: '1' }, '/count', 'must be an integer, not a string'],
    [{ name: 'x', ids: ['x'] }, '/ids/0', 'must be an id (a UUID)'],
    [{ name: 'x', inner: {} }, '/inner/at', 'is required'],
    [[], '', 'must be an object, not an array'],
    [null, '', 'must be an object, not null'],
    [{ name: 'x', ids: 'x' }, '/ids', 'must be an array, not a string'],
    [{ name: 'x', either: 1 }, '/either', 'must be a string or an object, not a number'],
    [{ name: 'x', either: {} }, '/either/at', 'is required'],
    [{ name: 'x', hours: '9-17' }, '/hours', 'must be hours, for example 09:00-17:00'],
    [{ name: 'x', some: [] }, '/some', 'must not be empty'],
    [{ name: 'x', some: [1, 1] }, '/some', 'must not repeat a value: items 0 and 1 are equal'],
    [
      { name: 'x', inner: { at: AT, windows: '9-17' } },
      '/inner/windows',
      'must be an array, not a string; for example ["09:00-17:00"]',
    ],
    [
      { name: 'x', inner: { at: AT, length: '30m' } },
      '/inner/length',
      'must be whole minutes, not a string; for example 30',
    ],
    [{ name: 'x', inner: { at: AT, long: 'x' } }, '/inner/long', 'must be an array, not a string'],
    [{ name: 'x', yes: false }, '/yes', 'must be true'],
    [
      { name: 'x', named: { ab: 1 } },
      '/named/ab',
      'has a name that must have at most 1 character, not 2',
    ],
  ] as const)('finds in %j at "%s": %s', ([value, path, message]) => {
    expect(issuesOf(schema, value)).toContainEqual({ path, message });
  });

  test('returns no issue for a valid value', () => {
    const value = { name: 'x', email: null, kind: null, count: 3, ids: [], inner: undefined };
    expect(issuesOf(s.request({ name: s.shortText() }), { name: 'x' })).toEqual([]);
    expect(issuesOf(schema, JSON.parse(JSON.stringify(value)))).toEqual([]);
  });

  test('reports each issue once', () => {
    const found = issuesOf(schema, { name: '', email: 'x', more: 1 });
    const said = found.map(({ path, message }) => `${path} ${message}`);
    expect(new Set(said).size).toBe(said.length);
    expect(found.map(({ path }) => path).sort()).toEqual(['/email', '/more', '/name']);
  });
});

const FINE = new Fault('INTERNAL_ERROR', 'nothing was refused');

const issuesIn = (refusal: unknown): readonly string[] =>
  (refusal as { details: { issues: readonly { message: string }[] } }).details.issues.map(
    ({ message }) => message,
  );

function refusalOf(value: unknown, readOnly?: readonly string[]): unknown {
  try {
    return void check(schema, value, 'query', readOnly);
  } catch (error) {
    return error;
  }
}

describe('check', () => {
  test('converts every id to lower case, at any depth', () => {
    const id = crypto.randomUUID();
    const value = { name: 'x', id: id.toUpperCase(), ids: [id.toUpperCase(), id] };
    expect(check(schema, value, 'body')).toEqual({ name: 'x', id, ids: [id, id] });
  });

  test('does not change other values, nor invalid ones', () => {
    const either = s.request({ of: Type.Union([s.uuid(), Type.String()]) });
    expect(check(either, { of: 'Not An Id' }, 'body')).toEqual({ of: 'Not An Id' });
  });

  test('throws with all issues and a message that is clear by itself', () => {
    expect(refusalOf({ more: 1 })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'invalid query: name is required (and 1 more issue)',
      details: {
        issues: [
          { in: 'query', path: '/name', message: 'is required' },
          { in: 'query', path: '/more', message: `is not a known field here; ${KNOWN}` },
        ],
      },
    });
  });

  test('repeats a wrong value where it is no personal data', () => {
    const value = { name: 'x', kind: 'c', email: 'ada at home', inner: { at: 'noon' }, count: '1' };
    expect(issuesIn(refusalOf(value))).toEqual([
      'must be an email address',
      'must be one of a, b, null, not "c"',
      'must be an integer, not "1"',
      'must be a date and time with an offset (ISO 8601), for example 2026-01-31T09:00:00Z, not "noon"',
    ]);
  });

  test('says which members are read-only', () => {
    const refusal = refusalOf({ name: 'x', createdAt: 1 }, ['createdAt']);
    expect(issuesIn(refusal)).toEqual(['cannot be set here; leave it out of the request']);
  });

  test('throws nothing but Faults, whatever the input', () => {
    const isFault = (value: unknown) => (refusalOf(value) ?? FINE) instanceof Fault;
    expect(() => fc.assert(fc.property(fc.jsonValue(), isFault))).not.toThrow();
  });

  test('throws for an undeclared format', () => {
    const unknown = Type.Object({ x: Type.String({ format: 'fax' }) });
    expect(() => issuesOf(unknown, { x: '1' })).toThrow('no format is called fax');
  });
});

test('an error lists at most fifty issues', () => {
  const issue = { in: 'body', path: '/x', message: 'is wrong' } as const;
  const issues = Array.from({ length: 1_000 }, () => issue);
  expect(invalid(issues).details).toEqual({ issues: issues.slice(0, 50) });
});

test('a member’s name in a pointer can be read back', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const token = pointerToken(name);
      expect(token).not.toContain('/');
      expect(token.replaceAll('~1', '/').replaceAll('~0', '~')).toBe(name);
    }),
  );
});

test('only the first unknown members of a body get a suggestion', () => {
  const names = Array.from({ length: 10 }, (_, at) => `${at}`.padEnd(60, 'known'));
  const known = s.request(Object.fromEntries(names.map((name) => [name, Type.String()])));
  const given = Array.from({ length: 9_900 }, (_, at) => [`${at}`.padEnd(60, 'knows'), 1]);
  const issues = issuesOf(known, Object.fromEntries(given));
  expect(issues).toHaveLength(9_910);
  // Each suggestion compares a name with all that are known.
  const suggested = issues.filter(({ message }) => message.includes('did you mean'));
  expect(suggested).toEqual(issues.slice(10, 50));
});
