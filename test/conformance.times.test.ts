import type { TSchema } from 'typebox';
import { issuesOf } from '#core/schema/check.ts';
import { exampleOf } from '#core/schema/example.ts';
import { isInstant } from '#core/schema/instant.ts';
import { readQuery } from '#lib/query-string.ts';
import { endpoints } from '#registry/endpoints.ts';
import { describe, expect, test } from 'vitest';
import { ownText } from '../sdk/generator/type-text.ts';

interface Keywords {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
}

/** Returns every schema inside a schema with its JSON pointer. */
function* within(schema: TSchema, path = ''): Generator<readonly [string, TSchema]> {
  const { properties = {}, items, anyOf = [] } = schema as Keywords;
  yield [path, schema];
  for (const [name, member] of Object.entries(properties)) {
    yield* within(member, `${path}/${name}`);
  }
  if (items) {
    yield* within(items, `${path}/0`);
  }
  for (const one of anyOf) {
    yield* within(one, path);
  }
}

/** What requests contain, by endpoint and part. */
const PARTS = endpoints.flatMap((endpoint) =>
  (['query', 'body'] as const).flatMap((part) => {
    const schema = endpoint[part];
    return schema ? [{ id: endpoint.id, part, schema }] : [];
  }),
);
const TIMES = PARTS.flatMap(({ id, part, schema }) =>
  [...within(schema)].flatMap(([path, one]) =>
    isInstant(one)
      ? [[`${id} ${part} ${path}`, { part, schema, name: path.slice(1) }] as const]
      : [],
  ),
);

const NAMED_LIKE_A_TIME =
  /(?:Time|At|Date|Before|After|Since|Until|timestamp|since|until|from|before)$/;
/** Beyond any count, size or duration that a request contains. */
const TIME_MS = 100_000_000_000;

/** Whether a schema takes a number as a time, by its name, its description or its size; sums of money are large, too. */
function isNumberAsTime(path: string, schema: TSchema): boolean {
  const { type, description = '', maximum = 0 } = schema as Keywords;
  const isNumber = [type].flat().some((one) => one === 'integer' || one === 'number');
  const isTime =
    NAMED_LIKE_A_TIME.test(path) ||
    /epoch|millisecond|\bms\b/i.test(description) ||
    maximum >= TIME_MS;
  return isNumber && isTime && !/(?:value|amount)$/.test(path);
}

const ISO = '2026-12-01T10:00:00+01:00';
const MS = Date.parse(ISO);

describe('times in requests', () => {
  test('that are numbers are accepted as ISO 8601, too, in every endpoint', () => {
    const missed = PARTS.flatMap(({ id, part, schema }) =>
      [...within(schema)].flatMap(([path, one]) =>
        isNumberAsTime(path, one) && !isInstant(one) ? [`${id} ${part} ${path}`] : [],
      ),
    );
    expect(missed).toEqual([]);
  });

  test('are these, so that a new one is noticed', () => {
    expect(TIMES.map(([name]) => name).toSorted()).toMatchInlineSnapshot(`
      [
        "appointments.create body /endTime",
        "appointments.create body /startTime",
        "appointments.list query /endDate",
        "appointments.list query /startDate",
        "appointments.reschedule body /endTime",
        "appointments.reschedule body /startTime",
        "booking.reschedule body /newEndTime",
        "booking.reschedule body /newStartTime",
        "callbacks.inbound body /timestamp",
        "campaigns.schedule body /scheduledAt",
        "conversations.update body /snoozedUntil",
        "opportunities.create body /expectedCloseDate",
        "opportunities.update body /expectedCloseDate",
        "public-booking.create body /endTime",
        "public-booking.create body /startTime",
        "submissions.list query /createdAfter",
        "tasks.create body /dueDate",
        "tasks.list query /dueAfter",
        "tasks.list query /dueBefore",
        "tasks.update body /dueDate",
      ]
    `);
  });
});

describe.for(TIMES)('%s', ([, { part, schema, name }]) => {
  const given = (value: string | number) => {
    const whole = exampleOf(schema) as Record<string, unknown>;
    if (part === 'body') {
      return { ...whole, [name]: value };
    }
    return readQuery(schema, new URLSearchParams({ [name]: String(value) }));
  };
  const messagesFor = (value: string | number) =>
    issuesOf(schema, given(value)).flatMap(({ path, message }) =>
      path === `/${name}` ? [message] : [],
    );

  test('is the same in both forms', () => {
    for (const value of [MS, ISO]) {
      const call = given(value);
      const issues = issuesOf(schema, call).filter(({ path }) => path === `/${name}`);
      expect([issues, call[name]]).toEqual([[], MS]);
    }
  });

  test('refuses seconds, times without an offset and dates that do not exist', () => {
    expect(messagesFor(MS / 1000)).toEqual([expect.stringContaining('looks like seconds')]);
    expect(messagesFor('2026-12-01T10:00')).toEqual([expect.stringContaining('offset')]);
    expect(messagesFor('2026-02-30T10:00:00Z')).toEqual([expect.stringContaining('ISO 8601')]);
    expect(messagesFor(253_402_300_800_000)).toEqual([expect.stringContaining('must be at most')]);
  });

  test('is shown in both forms in OpenAPI and in the types of the client', () => {
    const shown = schema.properties[name] as TSchema;
    expect((shown as Keywords).type).toEqual(expect.arrayContaining(['integer', 'string']));
    expect(shown).toMatchObject({ format: 'date-time', examples: [expect.any(Number), ISO] });
    const naming = { use: part, nameOf: () => undefined };
    expect(ownText(shown, naming).split(' | ')).toEqual(
      expect.arrayContaining(['number', 'string']),
    );
  });
});
