import {
  Ajv2020,
  type ErrorObject,
  type KeywordDefinition,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import type { Static, TSchema } from 'typebox';
import { didYouMean } from './did-you-mean.ts';
import { invalid, type Issue } from '../fault.ts';
import { FORMATS } from './formats.ts';

/**
 * Created with the first check, for a fast start. `verbose` adds the format to errors. Schemas are not
 * validated here but in a test: compiling the meta-schema costs more than all of them.
 */
function openAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    verbose: true,
    validateSchema: false,
  });
  return ajv.removeKeyword('format').addKeyword(FORMAT);
}

/** Also converts a value to its canonical form, so that equal ids are equal text. */
const FORMAT: KeywordDefinition = {
  keyword: 'format',
  type: 'string',
  schemaType: 'string',
  modifying: true,
  compile(name: string) {
    const format = FORMATS[name];
    if (!format) {
      throw new Error(`no format is called ${name}`);
    }
    return (text: string, at?: DataValidationCxt) => {
      const fits = format.test(text);
      if (fits && format.canonical && at?.parentData) {
        Reflect.set(at.parentData, at.parentDataProperty, format.canonical(text));
      }
      return fits;
    };
  },
};

let opened: Ajv2020 | undefined;
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * Returns `value` narrowed to the schema's type, with values such as ids in their canonical form.
 * Throws VALIDATION_ERROR with an issue per violation.
 */
export function check<S extends TSchema>(schema: S, value: unknown, where: Issue['in']): Static<S> {
  const issues = issuesOf(schema, value);
  if (issues.length > 0) {
    throw invalid(issues.map((issue) => ({ in: where, ...issue })));
  }
  return value as Static<S>;
}

interface IssueOptions {
  /** Suggests a similar field or value of the schema. */
  readonly suggest?: boolean;
}

/** Returns the issues of `value`: JSON pointers with a sentence each. */
export function issuesOf(
  schema: TSchema,
  value: unknown,
  { suggest = false }: IssueOptions = {},
): Omit<Issue, 'in'>[] {
  const validate = compiled.get(schema) ?? compile(schema);
  if (validate(value)) {
    return [];
  }
  const said = new Map<string, Omit<Issue, 'in'>>();
  for (const error of validate.errors ?? []) {
    const { path, message } = describe(error);
    const issue = { path, message: suggest ? message + suggestionFor(error) : message };
    said.set(`${issue.path} ${issue.message}`, issue);
  }
  return [...said.values()];
}

function compile(schema: TSchema): ValidateFunction {
  opened ??= openAjv();
  const validate = opened.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

function describe({
  keyword,
  instancePath,
  params,
  message,
  schema,
}: ErrorObject): Omit<Issue, 'in'> {
  const member = (name: unknown) => `${instancePath}/${pointerToken(String(name))}`;
  switch (keyword) {
    case 'additionalProperties':
      return { path: member(params['additionalProperty']), message: 'is not a known field here' };
    case 'required':
      return { path: member(params['missingProperty']), message: 'is required' };
    case 'enum':
      return {
        path: instancePath,
        message: `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`,
      };
    case 'format':
      return {
        path: instancePath,
        message: FORMATS[String(schema)]?.says ?? 'has the wrong format',
      };
    case 'type':
      return { path: instancePath, message: `must be ${[params['type']].flat().join(' or ')}` };
    default:
      return { path: instancePath, message: message ?? 'is not valid' };
  }
}

/** Returns `; did you mean "…"?` for an unknown field or value. */
function suggestionFor({ keyword, params, parentSchema, data }: ErrorObject): string {
  if (keyword === 'additionalProperties') {
    const { properties = {} } = parentSchema as { properties?: object };
    return didYouMean(String(params['additionalProperty']), Object.keys(properties));
  }
  return keyword === 'enum' && typeof data === 'string'
    ? didYouMean(data, (params['allowedValues'] as unknown[]).map(String))
    : '';
}

/** Escapes a name for a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1');
