import type { Work } from '#core/work.ts';
import { isId } from '#lib/id.ts';
import { ERASED } from './address-pattern.ts';
import { bound, type Bindings } from './bound.ts';

interface EventRow {
  readonly id: string;
  readonly data: unknown;
}

/** Events of public forms may have up to 1 MB each. */
const EVENTS_MAX = 20;

/**
 * Blanks the events of a batch that a condition selects, and returns the number of changed ones. The
 * condition is about those after the key `:after`.
 */
export async function eraseEvents(
  work: Work,
  condition: string,
  bindings: Bindings,
): Promise<number> {
  let changed = 0;
  for (let { after } = bindings; ;) {
    const { text, values } = bound(
      `select t.id::text as id, t.data from events t where ${condition}
       order by t.id limit ${EVENTS_MAX} for update`,
      { ...bindings, after },
    );
    const rows = await work.rows<EventRow>(text, values);
    changed += await blankEvents(work, rows);
    const last = rows[EVENTS_MAX - 1];
    if (!last) {
      return changed;
    }
    after = [last.id];
  }
}

async function blankEvents(work: Work, rows: readonly EventRow[]): Promise<number> {
  const changed = rows.flatMap(({ id, data }) => {
    const blank = JSON.stringify(blanked(data));
    return blank === JSON.stringify(data) ? [] : [{ id, blank }];
  });
  if (changed.length > 0) {
    await work.rows(
      `update events t set data = given.data::json
       from unnest($2::uuid[], $3::text[]) as given (id, data)
       where t.sub_account_id = $1 and t.id = given.id`,
      [work.subAccountId, changed.map(({ id }) => id), changed.map(({ blank }) => blank)],
    );
  }
  return changed.length;
}

/** Members whose values are words of ours. */
const OUR_WORDS = new Set([
  'changedFields',
  'channel',
  'currency',
  'direction',
  'lifecycleStage',
  'locationId',
  'newStage',
  'previousStage',
  'priority',
  'status',
]);
/** Members with values of people by names of their choice. */
const FREE_FIELDS = new Set(['customFields', 'fields']);
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;

/** Returns the data of an event with ids, times, numbers and our own words only. */
export function blanked(value: unknown, name = ''): unknown {
  if (FREE_FIELDS.has(name)) {
    return {};
  }
  if (typeof value === 'string') {
    return OUR_WORDS.has(name) || isId(value.toLowerCase()) || TIME.test(value) ? value : ERASED;
  }
  if (Array.isArray(value)) {
    return value.map((one) => blanked(one, name));
  }
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, blanked(one, key)]))
    : value;
}
