import type { TObject } from 'typebox';
import { invalid, type Issue, ISSUES_MAX, pointerToken } from '#core/fault.ts';
import { issuesOf } from '#core/schema/check.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';

/**
 * Converts a query string, or a form, to the types of its schema: digits to integers, `true` and `false`
 * to booleans, comma-separated items to arrays. Other values stay text and fail the check. Throws
 * VALIDATION_ERROR for unknown and repeated names, with the issues of the other values.
 */
export function readQuery(
  schema: TObject,
  given: URLSearchParams,
  where: Issue['in'] = 'query',
): Record<string, unknown> {
  const issues: Issue[] = [];
  let uncollected = 0;
  /** A form can have as many issues as fields: those above the maximum are only counted. */
  const refuse = (name: string, message: () => string): void => {
    if (issues.length === ISSUES_MAX) {
      uncollected += 1;
    } else {
      issues.push({ in: where, path: `/${pointerToken(name)}`, message: message() });
    }
  };
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, text] of given) {
    const declared = Object.hasOwn(schema.properties, name)
      ? schema.properties[name]
      : othersIn(schema);
    if (!declared) {
      refuse(name, () => unknownParameter(name, Object.keys(schema.properties)));
    } else if (name in values) {
      refuse(name, () => 'is given more than once');
    } else if (text.includes('\0')) {
      refuse(name, () => 'must not contain a NUL character');
    } else {
      values[name] = readValue((declared as { type?: unknown }).type, text);
    }
  }
  if (issues.length > 0) {
    const paths = new Set(issues.map(({ path }) => path));
    const others = issuesOf(schema, values, { quote: true }).filter(({ path }) => !paths.has(path));
    const all = [...issues, ...others.map((one) => ({ in: where, ...one }))];
    throw invalid(all, {}, uncollected);
  }
  return values;
}

/** How other APIs call the parameters of pages. */
const PAGING = new Set(['page', 'offset', 'skip', 'per_page', 'pageSize', 'starting_after']);

function unknownParameter(name: string, known: readonly string[]): string {
  if (PAGING.has(name) && known.includes('cursor')) {
    return 'is not a known parameter here; pages are chosen by limit and cursor';
  }
  const list = known.length > 0 ? `; known parameters: ${known.join(', ')}` : '; there are none';
  return `is not a known parameter here${didYouMean(name, known) || list}`;
}

/** Returns the schema of fields that the form does not name, if it accepts such fields. */
function othersIn(schema: TObject): object | undefined {
  const { additionalProperties: others } = schema as { additionalProperties?: unknown };
  return typeof others === 'object' && others !== null ? others : undefined;
}

function readValue(declared: unknown, text: string): unknown {
  // A time is an integer or a text.
  const type = Array.isArray(declared) && declared.includes('integer') ? 'integer' : declared;
  switch (type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text.split(',').map((item) => item.trim());
    default:
      return text;
  }
}
