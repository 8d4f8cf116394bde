import type { ErrorObject } from 'ajv/dist/2020.js';
import { type Issue, pointerToken } from '../fault.ts';
import { didYouMean } from './did-you-mean.ts';
import { FORMATS } from './formats.ts';
import { INSTANT_TYPE, isInstant } from './instant.ts';

/** The property of a schema that says in words what its `pattern` requires. Never serialized. */
const SAYS = Symbol('says');

/** A `pattern`, and the sentence for a text that does not match it: "must be …". */
export function pattern(source: string, says: string): { readonly pattern: string } {
  const keywords = { pattern: source, [SAYS]: says };
  return keywords;
}

/** Returns the sentence of a schema's pattern. */
export const patternSays = (schema: unknown): string | undefined =>
  (schema as { readonly [SAYS]?: string })[SAYS];

export interface DescribeOptions {
  /** Repeats a wrong value of an enumeration, a date or an id; not for values that may be secrets. */
  readonly quote: boolean;
  /** Names that a response has, but a request must not send. */
  readonly readOnly?: readonly string[];
  /** Adds the most similar name to a wrong one, which takes time; true by default. */
  readonly suggest?: boolean;
}

/** Longer values are cut. */
const QUOTED_MAX = 60;
/** More known fields than this are not listed. */
const LISTED_MAX = 12;

/** Returns the issue of an error in plain words: what is wrong, what was given, what is allowed. */
export function describeError(error: ErrorObject, options: DescribeOptions): Omit<Issue, 'in'> {
  const { keyword, instancePath, params, propertyName } = error;
  const member = (name: unknown) => `${instancePath}/${pointerToken(String(name))}`;
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty']);
    return { path: member(name), message: unknownField(name, error, options) };
  }
  if (keyword === 'required') {
    return { path: member(params['missingProperty']), message: 'is required' };
  }
  return propertyName === undefined
    ? { path: instancePath, message: messageOf(error, options) }
    : { path: member(propertyName), message: `has a name that ${messageOf(error, options)}` };
}

function unknownField(
  name: string,
  { parentSchema }: ErrorObject,
  { readOnly = [], suggest = true }: DescribeOptions,
): string {
  if (readOnly.includes(name)) {
    return 'cannot be set here; leave it out of the request';
  }
  const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
  const suggestion = suggest ? didYouMean(name, known) : '';
  const listed = known.length > 0 && known.length <= LISTED_MAX && suggestion === '';
  return `is not a known field here${suggestion}${listed ? `; known fields: ${known.join(', ')}` : ''}`;
}

function messageOf(error: ErrorObject, options: DescribeOptions): string {
  const { keyword, params, data, schema, parentSchema, message } = error;
  switch (keyword) {
    case 'enum': {
      const allowed = (params['allowedValues'] as unknown[]).map(String);
      const isWord = options.suggest !== false && typeof data === 'string';
      const suggestion = isWord ? didYouMean(data, allowed) : '';
      return `must be one of ${allowed.join(', ')}${given(data, options)}${suggestion}`;
    }
    case 'const':
      return `must be ${JSON.stringify(schema)}${given(data, options)}`;
    case 'format':
      return isInstant(parentSchema)
        ? (message ?? INSTANT_TYPE)
        : formatMessage(String(schema), data, options);
    case 'pattern':
      return patternSays(parentSchema) ?? 'contains characters that are not allowed here';
    case 'type':
      return typeMessage(error, options);
    default:
      return limitMessage(error) ?? message ?? 'is not valid';
  }
}

/** Formats whose values are no personal data: a wrong one may be repeated, also in logs. */
const QUOTABLE = new Set(['uuid', 'date', 'date-time', 'time-zone', 'currency']);

function formatMessage(format: string, data: unknown, options: DescribeOptions): string {
  const says = FORMATS[format]?.says ?? 'has the wrong format';
  if (format === 'e164' && typeof data === 'string' && BLANK_FOR_PLUS.test(data)) {
    return `${says}; write its + as %2B in a URL`;
  }
  return QUOTABLE.has(format) ? says + given(data, options) : says;
}

/** A plus in a query string that is not encoded arrives as a space. */
const BLANK_FOR_PLUS = /^ \d+$/;

/** Returns `, not "x"`. */
function given(data: unknown, { quote }: DescribeOptions): string {
  if (!quote || (typeof data === 'object' && data !== null)) {
    return '';
  }
  const text = JSON.stringify(typeof data === 'string' ? data.slice(0, QUOTED_MAX) : data);
  return `, not ${text}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** The property of a schema that names its values in words, for errors about their type. Never serialized. */
const NOUN = Symbol('noun');

/** An option of a schema that names its values in words, for errors about their type: "whole minutes". */
export function valuesCalled(noun: string): object {
  return { [NOUN]: noun };
}

/** Longer examples make a message hard to read. */
const EXAMPLE_MAX = 40;

/** Returns `; for example ["09:00-17:00"]` of a list, an object or a number that has an example. */
function exampleOf(types: readonly string[], schema: unknown): string {
  const example = (schema as { readonly examples?: readonly unknown[] }).examples?.[0];
  const text = example === undefined ? '' : JSON.stringify(example);
  const isHelpful = types.some(
    (type) => type !== 'string' && type !== 'boolean' && type !== 'null',
  );
  return isHelpful && text !== '' && text.length <= EXAMPLE_MAX ? `; for example ${text}` : '';
}

const named = (types: readonly string[]): string =>
  types.map((type) => TYPES[type] ?? type).join(' or ');

function typeMessage({ params, data, parentSchema }: ErrorObject, options: DescribeOptions) {
  if (isInstant(parentSchema)) {
    return INSTANT_TYPE;
  }
  const types = [params['type']].flat() as string[];
  const noun = (parentSchema as { readonly [NOUN]?: string })[NOUN] ?? named(types);
  return `must be ${noun}${wrongType(types, data, options)}${exampleOf(types, parentSchema)}`;
}

function wrongType(types: readonly string[], data: unknown, options: DescribeOptions): string {
  // In a query and in quotes, "12" is a text: the value says more than its type.
  if (typeof data === 'string' && !types.includes('object') && !types.includes('array')) {
    return given(data, options) || ', not a string';
  }
  if (typeof data === 'number' && types.includes('integer')) {
    return `, not ${data}`;
  }
  const type = data === null ? 'null' : Array.isArray(data) ? 'array' : typeof data;
  return `, not ${type === 'boolean' ? String(data) : named([type])}`;
}

/** Returns the message of an error of size: lengths, counts and limits of numbers. */
function limitMessage({ keyword, params, data }: ErrorObject): string | undefined {
  const limit = Number(params['limit']);
  const atLeast = (noun: string, length: number) =>
    length === 0 && limit === 1
      ? 'must not be empty'
      : `must have at least ${count(limit, noun)}, not ${length}`;
  const atMost = (noun: string, length: number) =>
    `must have at most ${count(limit, noun)}, not ${length}`;
  switch (keyword) {
    case 'minLength':
      return atLeast('character', charactersOf(data));
    case 'maxLength':
      return atMost('character', charactersOf(data));
    case 'minItems':
      return atLeast('item', (data as unknown[]).length);
    case 'maxItems':
      return atMost('item', (data as unknown[]).length);
    case 'minProperties':
      return atLeast('field', Object.keys(data as object).length);
    case 'maxProperties':
      return atMost('field', Object.keys(data as object).length);
    case 'uniqueItems':
      return `must not repeat a value: items ${Number(params['i'])} and ${Number(params['j'])} are equal`;
    case 'minimum':
      return `must be at least ${limit}, not ${Number(data)}`;
    case 'maximum':
      return `must be at most ${limit}, not ${Number(data)}`;
    case 'exclusiveMinimum':
      return `must be greater than ${limit}, not ${Number(data)}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}, not ${Number(data)}`;
    case 'multipleOf':
      return `must be a multiple of ${Number(params['multipleOf'])}, not ${Number(data)}`;
    default:
      return undefined;
  }
}

/** JSON Schema counts code points. */
const charactersOf = (data: unknown): number => Array.from(String(data)).length;

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/**
 * Returns the errors worth reporting. Of alternatives (`anyOf`) these are the errors inside the one
 * whose type fits; if none does, one error that names all their types. A text that is too short is
 * not reported as blank, too.
 */
export function worthReporting(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const short = new Set(
    errors.filter(({ keyword }) => keyword === 'minLength').map(({ instancePath }) => instancePath),
  );
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const joined = unions.flatMap((union) => joinTypes(union, errors));
  const isJoined = (error: ErrorObject) =>
    unions.some((union) => error === union || isTypeOf(union, error));
  return [
    ...errors.filter(
      (error) =>
        error.keyword !== 'propertyNames' &&
        !isJoined(error) &&
        !(error.keyword === 'format' && short.has(error.instancePath)),
    ),
    ...joined,
  ];
}

const isWithin = (union: ErrorObject, { schemaPath }: ErrorObject): boolean =>
  schemaPath.startsWith(`${union.schemaPath}/`);

/** Whether an error says that the value has not the type of one of the alternatives. */
const isTypeOf = (union: ErrorObject, error: ErrorObject): boolean =>
  error.keyword === 'type' && error.instancePath === union.instancePath && isWithin(union, error);

function joinTypes(union: ErrorObject, errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const within = errors.filter((error) => error !== union && isWithin(union, error));
  const types = within.filter((error) => isTypeOf(union, error));
  const [first] = types;
  if (!first || types.length < within.length) {
    return [];
  }
  const type = types.flatMap(({ params }) => [params['type']].flat() as string[]);
  return [{ ...first, params: { type: [...new Set(type)] } }];
}
