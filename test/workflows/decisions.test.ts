/* oxlint-disable unicorn/no-thenable -- contract 8 names a branch of a step `then` */
import { describe, expect, test } from 'vitest';
import { exampleOf } from '#core/schema/example.ts';
import { events } from '#registry/events.ts';
import { dataNames, hasPath, hasValue } from '../../src/workflows/definition/data-names.ts';
import { runValues } from '../../src/workflows/steps/merge-values.ts';
import {
  matchGoals,
  type SignalledEvent,
  type WaitingRun,
} from '../../src/workflows/triggers/signal-runs.ts';
import { fits, isTrue } from '../../src/workflows/definition/conditions.ts';
import { explainCondition } from '../../src/workflows/definition/explain-condition.ts';
import {
  everyStep,
  goalsOf,
  placeAfter,
  placeInto,
  stepAt,
} from '../../src/workflows/definition/places.ts';
import { isLocalTime, waitUntil } from '../../src/workflows/runs/wait-until.ts';
import type { Condition, Step } from '../../src/workflows/definition/workflow.schema.ts';

const STEPS: readonly Step[] = [
  { addTag: 'a' },
  {
    if: { field: 'email', exists: true },
    then: [
      { addTag: 'b' },
      { if: { field: 'x', exists: true }, then: [{ goal: { event: 'paid' } }], else: [] },
    ],
    else: [{ goal: { event: 'seen' } }],
  },
  { end: true },
];

describe('the place of a run', () => {
  test.each([
    ['/0', '/1'],
    ['/1/then/0', '/1/then/1'],
    ['/1/then/1/then/0', '/2'],
    ['/1/else/0', '/2'],
    ['/1', '/2'],
    ['/2', undefined],
  ])('after %s is %s', (place, next) => {
    expect(placeAfter(STEPS, place)).toBe(next);
  });

  test.each([
    ['/1', 'then', '/1/then/0'],
    ['/1', 'else', '/1/else/0'],
    ['/1/then/1', 'then', '/1/then/1/then/0'],
    ['/1/then/1', 'else', '/2'],
  ] as const)('into %s, %s is %s', (place, branch, next) => {
    expect(placeInto(STEPS, place, branch)).toBe(next);
  });

  test('leads to its step, or to none past the end', () => {
    expect(stepAt(STEPS, '/1/then/0')).toEqual({ addTag: 'b' });
    expect([stepAt(STEPS, '/9'), stepAt([], '/0'), stepAt(STEPS, '/0/then/0')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('exists for every step, nested ones included', () => {
    expect(everyStep(STEPS).map(({ place }) => place)).toEqual([
      '/0',
      '/1',
      '/1/then/0',
      '/1/then/1',
      '/1/then/1/then/0',
      '/1/else/0',
      '/2',
    ]);
    expect(goalsOf(STEPS)).toEqual(['paid', 'seen']);
  });
});

describe('a filter', () => {
  const data = { tagName: 'Lead', value: 5, list: ['a', 'b'], fields: { email: 'x' }, none: null };
  test.each([
    [undefined, true],
    [{}, true],
    [{ tagName: 'lead' }, true],
    [{ tagName: 'other' }, false],
    [{ tagName: ['x', 'LEAD'] }, true],
    [{ value: '5' }, true],
    [{ value: 5, tagName: 'lead' }, true],
    [{ value: 6, tagName: 'lead' }, false],
    [{ list: 'b' }, true],
    [{ list: 'c' }, false],
    [{ 'fields.email': 'X' }, true],
    [{ 'fields.nothing': 'X' }, false],
    [{ none: '' }, true],
    [{ missing: 'x' }, false],
    [{ constructor: 'x' }, false],
  ] as const)('%j is %s', (where, wanted) => {
    expect(fits(where as never, data)).toBe(wanted);
  });
});

describe('a condition', () => {
  const contact = {
    firstName: 'Ada',
    lastName: 'L',
    lifecycleStage: 'lead',
    tags: ['VIP'],
    company: null,
    customFields: { insurance: 'public', age: 41 },
  };
  const data = { amount: 9, apiToken: 'secret', long: 'a'.repeat(99) };
  const facts = { contact, data, goal: 'timed_out' } as const;
  test.each([
    [{ field: 'lifecycleStage', equals: 'lead' }, true],
    [{ field: 'lifecycleStage', not: 'lead' }, false],
    [{ field: 'fullName', equals: 'ada l' }, true],
    [{ field: 'tags', contains: 'vip' }, true],
    [{ field: 'tags', equals: 'vip' }, true],
    [{ field: 'tags', contains: 'vi' }, false],
    [{ field: 'firstName', contains: 'd' }, true],
    [{ field: 'customFields.insurance', in: ['private', 'public'] }, true],
    [{ field: 'customFields.age', equals: 41 }, true],
    [{ field: 'company', exists: true }, false],
    [{ field: 'company', exists: false }, true],
    [{ field: 'data.amount', equals: 9 }, true],
    [{ field: 'data.other', exists: true }, false],
    [{ field: 'goal', equals: 'timed_out' }, true],
    [{ field: 'goal', equals: 'met' }, false],
  ] as const)('%j is %s', (condition, wanted) => {
    expect(isTrue(condition as never, facts)).toBe(wanted);
  });

  test('on the outcome of a goal is false before the first goal', () => {
    const before = { contact, data: {} };
    expect(isTrue({ field: 'goal', equals: 'met' }, before)).toBe(false);
    expect(isTrue({ field: 'goal', exists: true }, before)).toBe(false);
  });

  test.each([
    [{ field: 'lifecycleStage', equals: 'lead' }, 'lifecycleStage is "lead"'],
    [{ field: 'lifecycleStage', equals: 'customer' }, 'lifecycleStage is "lead", not "customer"'],
    [{ field: 'lifecycleStage', not: 'customer' }, 'lifecycleStage is "lead", not "customer"'],
    [{ field: 'lifecycleStage', not: 'lead' }, 'lifecycleStage is "lead"'],
    [{ field: 'company', equals: 'Acme' }, 'company is empty, not "Acme"'],
    [{ field: 'tags', contains: 'vip' }, 'tag "vip" is set'],
    [{ field: 'tags', equals: 'no-review' }, 'tag "no-review" is not set'],
    [{ field: 'tags', not: 'vip' }, 'tag "vip" is set'],
    [{ field: 'tags', not: 'no-review' }, 'tag "no-review" is not set'],
    [{ field: 'firstName', contains: 'd' }, 'firstName contains "d"'],
    [{ field: 'firstName', contains: 'x' }, 'firstName does not contain "x"'],
    [
      { field: 'customFields.insurance', in: ['private', 'public'] },
      'customFields.insurance is "public"',
    ],
    [{ field: 'customFields.age', in: [1, 2] }, 'customFields.age is 41, none of 1, 2'],
    [{ field: 'company', exists: true }, 'company is empty'],
    [{ field: 'lastName', exists: false }, 'lastName is set'],
    [{ field: 'data.apiToken', equals: 'x' }, 'data.apiToken is …, not "x"'],
    [{ field: 'data.long', equals: 'x' }, `data.long is "${'a'.repeat(59)}…, not "x"`],
    [{ field: 'goal', equals: 'met' }, 'goal is "timed_out", not "met"'],
  ] as const)('%j explains itself: %s', (given, wanted) => {
    const condition = given as Condition;
    expect(explainCondition(condition, facts, isTrue(condition, facts))).toBe(wanted);
  });
});

describe('the names of the data of a run', () => {
  test.each(events)('of $name are those that its data has', ({ name: on, data }) => {
    const stored = { ...(exampleOf(data) as object), tags: ['vip'] };
    const names = dataNames([{ on }], events);
    const merged = Object.keys(runValues({ data: stored, contactId: null }))
      .filter((name) => name.startsWith('data.'))
      .map((name) => name.slice('data.'.length));
    expect(merged.filter((name) => !hasValue(names, name))).toEqual([]);
    expect(Object.keys(stored).filter((name) => !hasPath(names, name))).toEqual([]);
    const isIn = (name: string) => merged.some((one) => one === name || hasValue([name], one));
    const isNull = (name: string) => (stored as Record<string, unknown>)[name] === null;
    expect(names.filter((name) => !isIn(name) && !isNull(name))).toEqual([]);
  });

  test('are all names once a call may start it, and those of every trigger', () => {
    expect(dataNames([{ on: 'contact.tag_added' }, { on: 'inbound_webhook' }], events)).toContain(
      '*',
    );
    expect(hasValue(['*'], 'any.name')).toBe(true);
    const two = dataNames([{ on: 'contact.tag_added' }, { on: 'invoice.paid' }], events);
    expect(two).toEqual(['tagName', 'tags', 'invoiceId', 'amount', 'currency', 'paidAt']);
  });
});

describe('a wait until', () => {
  test.each([
    // An ordinary day: before, at and after the time.
    ['09:00', 'Europe/Berlin', '2026-11-20T07:59:59Z', '2026-11-20T08:00:00.000Z'],
    ['09:00', 'Europe/Berlin', '2026-11-20T08:00:00Z', '2026-11-20T08:00:00.000Z'],
    ['09:00', 'Europe/Berlin', '2026-11-20T08:00:01Z', '2026-11-21T08:00:00.000Z'],
    // The local time stays the same across both changes of daylight saving.
    ['09:00', 'Europe/Berlin', '2027-03-27T12:00:00Z', '2027-03-28T07:00:00.000Z'],
    ['09:00', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T08:00:00.000Z'],
    // A skipped time moves forward; of a repeated time, the first one counts.
    ['02:30', 'Europe/Berlin', '2027-03-28T00:00:00Z', '2027-03-28T01:30:00.000Z'],
    ['02:30', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
    // The day of the time zone, not of the server.
    ['09:00', 'Pacific/Auckland', '2026-11-20T12:00:00Z', '2026-11-20T20:00:00.000Z'],
    ['mon 09:00', 'Europe/Berlin', '2026-11-20T12:00:00Z', '2026-11-23T08:00:00.000Z'],
    ['fri 09:00', 'Europe/Berlin', '2026-11-20T12:00:00Z', '2026-11-27T08:00:00.000Z'],
    ['2026-12-24T09:00', 'America/New_York', '2026-11-20T12:00:00Z', '2026-12-24T14:00:00.000Z'],
    ['2026-01-01T09:00', 'Europe/Berlin', '2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z'],
  ])('%s in %s, asked at %s, ends at %s', (until, zone, now, ends) => {
    expect(waitUntil(until, zone, new Date(now)).toISOString()).toBe(ends);
  });

  test('refuses dates that no calendar has', () => {
    expect([isLocalTime('2026-02-30T09:00'), isLocalTime('2028-02-29T09:00')]).toEqual([
      false,
      true,
    ]);
    expect(isLocalTime('mon 09:00')).toBe(true);
  });
});

describe('a goal', () => {
  const at = new Date('2026-11-20T12:00:00Z');
  const run = (over: Partial<WaitingRun> = {}): WaitingRun => ({
    runId: 'r',
    contactId: 'c',
    goals: ['paid'],
    waitingFor: 'paid',
    sincePosition: null,
    createdAt: at,
    ...over,
  });
  const paid = (over: Partial<SignalledEvent> = {}): SignalledEvent => ({
    name: 'paid',
    contactId: 'c',
    occurredAt: at,
    position: null,
    ...over,
  });
  const SIGNAL = [{ runId: 'r', event: 'paid' }];

  test.each([
    ['is met by its event', run(), [paid()], SIGNAL, ['r']],
    ['is met by an event without a contact', run(), [paid({ contactId: null })], SIGNAL, ['r']],
    ['stores an event that comes before the goal', run({ waitingFor: null }), [paid()], SIGNAL, []],
    [
      'stores a second event for a second goal',
      run(),
      [paid(), paid()],
      [...SIGNAL, ...SIGNAL],
      ['r'],
    ],
    ['is not met by another contact', run(), [paid({ contactId: 'd' })], [], []],
    ['is not met by another event', run(), [paid({ name: 'seen' })], [], []],
    ['is not met by an event before the run', run(), [paid({ occurredAt: new Date(0) })], [], []],
    [
      'is not met by the event that started the run',
      run({ sincePosition: 7 }),
      [paid({ position: 7 })],
      [],
      [],
    ],
    [
      'is met by the next event',
      run({ sincePosition: 7 }),
      [paid({ position: 8, occurredAt: new Date(0) })],
      SIGNAL,
      ['r'],
    ],
  ] as const)('%s', (_, waiting, events, signals, advanced) => {
    expect(matchGoals([waiting], events)).toEqual({ signals, advanced });
  });
});
