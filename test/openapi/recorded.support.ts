import { exampleId } from '#core/schema/example.ts';
import { camelCase, singular } from '#platform/openapi/names.ts';
import { tellingExample } from '#platform/openapi/telling-example.ts';

/** A page shows how records look, and is read by people. */
const RECORDS_MAX = 2;

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;
const EXAMPLES = new RegExp(`${exampleId('').slice(0, 24)}[\\da-f]{12}`, 'g');

/** Members whose values are random, or depend on the machine. */
const RANDOM =
  /^(?:secret|sessionId|token|cursor|keyPrefix|nonce|salt|signature|keySignature|challenge|locationId)$/;

/** The clock of a test runs: times are shown without the minutes that have passed. */
const STEP_MS = 600_000;
const DAY_MS = 86_400_000;

/** What the addresses of a test become. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/(?<=\/(?:files|manage)\/)[\w-]{40,}/g, 'kT3vQ9xW2mZ7bN4cR8pL1sD6fH0jY5gA'],
  [/https:\/\/93\.184\.215\.14\/hooks/g, 'https://example.com/hook'],
  [/1000000\/1m/g, '600/1m'],
];

interface Recording {
  readonly operationId: string;
  readonly url: string;
  /** When the records were created, as epoch ms. */
  readonly startedAt: number;
  /** Returns the text with the ids of examples in place of those of the test. */
  documented(text: string): string;
}

/** Returns a real response as the document shows it, which is the same for each run. */
export function recordedResponse(
  body: object,
  { operationId, url, startedAt, documented }: Recording,
): unknown {
  const text = PLACES.reduce(
    (found, [pattern, place]) => found.replace(pattern, place),
    documented(JSON.stringify(body)).replaceAll(url, 'https://crm.example.com'),
  );
  const idOf = distinctIds(camelCase(singular(operationId.split('.')[0] ?? '')), text);
  const still = (time: number, unit = 1) =>
    time * unit >= startedAt && time * unit < startedAt + DAY_MS
      ? time - (time % (STEP_MS / unit))
      : time;
  const shownText = (value: string, name: string): unknown => {
    if (RANDOM.test(name)) {
      return tellingExample('text', name);
    }
    return ISO.test(value)
      ? new Date(still(Date.parse(value)))
      : value.replaceAll(UUID, (uuid) => idOf(uuid, name));
  };
  const shown = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) {
      return value.slice(0, RECORDS_MAX).map((one) => shown(one, name));
    }
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, shown(member, key)]),
      );
    }
    if (typeof value === 'string') {
      return shownText(value, name);
    }
    return typeof value === 'number' ? still(still(value), 1_000) : value;
  };
  return shown(JSON.parse(text));
}

const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Returns the function that gives each id an example's, by the name of its member. */
function distinctIds(noun: string, text: string) {
  const taken = new Set(text.match(EXAMPLES));
  const given = new Map([...taken].map((id) => [id, id]));
  return (uuid: string, name: string): string => {
    const base = name === 'id' ? `${noun}Id` : name;
    let id = given.get(uuid);
    for (let copy = 1; id === undefined; copy += 1) {
      const candidate = exampleId(copy === 1 ? base : `${base}${copy}`);
      id = taken.has(candidate) ? undefined : candidate;
    }
    taken.add(id);
    given.set(uuid, id);
    return id;
  };
}
