import { Type } from 'typebox';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { check, pointerToken, issuesOf } from '#core/schema/check.ts';
import { Fault, invalid } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';

const schema = s.request({
  name: s.shortText({ maxLength: 5 }),
  ...s.partial({
    id: s.uuid(),
    email: s.nullable(s.email()),
    kind: s.nullable(s.oneOf(['a', 'b'])),
    count: Type.Integer({ minimum: 1 }),
    ids: Type.Array(s.uuid()),
    inner: s.request({ at: s.isoTime() }),
  }),
});

describe('violationsOf', () => {
  test.for([
    [{}, '/name', 'is required'],
    [{ name: 'x', more: 1 }, '/more', 'is not a known field here'],
    [{ name: 'x', 'a/b~': 1 }, '/a~1b~0', 'is not a known field here'],
    [{ name: 1 }, '/name', 'must be string'],
    [{ name: ' ' }, '/name', 'must not be blank'],
    [{ name: 'toolong' }, '/name', 'must NOT have more than 5 characters'],
    [{ name: 'x', email: 1 }, '/email', 'must be string or null'],
    [{ name: 'x', email: 'x' }, '/email', 'must be an email address'],
    [{ name: 'x', kind: 'c' }, '/kind', 'must be one of a, b, null'],
    [{ name: 'x', count: 0 }, '/count', 'must be >= 1'],
    [{ name: 'x', count: 1.5 }, '/count', 'must be integer'],
    [{ name: 'x', ids: ['x'] }, '/ids/0', 'must be an id (a UUID)'],
    [{ name: 'x', inner: {} }, '/inner/at', 'is required'],
    [[], '', 'must be object'],
    [null, '', 'must be object'],
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
    expect(found.map(({ path }) => path).sort()).toEqual(['/email', '/more', '/name', '/name']);
  });
});

const FINE = new Fault('INTERNAL_ERROR', 'nothing was refused');

function refusalOf(value: unknown): unknown {
  try {
    return void check(schema, value, 'query');
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
      message: 'invalid query: name is required',
      details: {
        issues: [
          { in: 'query', path: '/name', message: 'is required' },
          { in: 'query', path: '/more', message: 'is not a known field here' },
        ],
      },
    });
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
