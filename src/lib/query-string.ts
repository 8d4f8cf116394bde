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
  const issue = (name: string, message: string): Issue => ({
    in: where,
    path: `/${pointerToken(name)}`,
    message,
  });
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, text] of given) {
    const declared = Object.hasOwn(schema.properties, name)
      ? schema.properties[name]
      : othersIn(schema);
    if (!declared) {
      // Thousands of comparisons with the known names would block the process for seconds.
      const known = issues.length < ISSUES_MAX ? Object.keys(schema.properties) : [];
      issues.push(issue(name, unknownParameter(name, known)));
    } else if (name in values) {
      issues.push(issue(name, 'is given more than once'));
    } else if (text.includes('\0')) {
      issues.push(issue(name, 'must not contain a NUL character'));
    } else {
      values[name] = readValue((declared as { type?: unknown }).type, text);
    }
  }
  if (issues.length > 0) {
    const paths = new Set(issues.map(({ path }) => path));
    const others = issuesOf(schema, values, { quote: true }).filter(({ path }) => !paths.has(path));
    throw invalid([...issues, ...others.map((one) => ({ in: where, ...one }))]);
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
