import {
  Ajv2020,
  type AnySchemaObject,
  type KeywordDefinition,
  type ValidateFunction,
} from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import type { Static, TSchema } from 'typebox';
import { describeError, type DescribeOptions, worthReporting } from './describe-error.ts';
import { invalid, type Issue, ISSUES_MAX } from '../fault.ts';
import { FORMATS } from './formats.ts';
import { instantOf, isInstant } from './instant.ts';

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
  type: ['string', 'number'],
  schemaType: 'string',
  modifying: true,
  compile(name: string, parent) {
    if (isInstant(parent)) {
      return instantCheck(parent);
    }
    const format = FORMATS[name];
    if (!format) {
      throw new Error(`no format is called ${name}`);
    }
    return (text: unknown, at?: DataValidationCxt) => {
      // A number has been refused by `type`.
      if (typeof text !== 'string') {
        return true;
      }
      const fits = format.test(text);
      if (fits && format.canonical && at?.parentData) {
        Reflect.set(at.parentData, at.parentDataProperty, format.canonical(text));
      }
      return fits;
    };
  },
};

/** Returns a check that converts a time in ISO 8601 to epoch milliseconds. */
function instantCheck(parentSchema: AnySchemaObject): DataValidateFunction {
  const check: DataValidateFunction = (value: unknown, at?: DataValidationCxt) => {
    const instant = instantOf(value, parentSchema['minimum']);
    if (typeof instant === 'string') {
      check.errors = [{ keyword: 'format', message: instant, parentSchema }];
      return false;
    }
    if (at?.parentData) {
      Reflect.set(at.parentData, at.parentDataProperty, instant);
    }
    return true;
  };
  return check;
}

let opened: Ajv2020 | undefined;
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * Returns `value` narrowed to the schema's type, with values such as ids in their canonical form.
 * Throws VALIDATION_ERROR with an issue per violation; a member named in `readOnly` gets its own message.
 */
export function check<S extends TSchema>(
  schema: S,
  value: unknown,
  where: Issue['in'],
  readOnly?: readonly string[],
): Static<S> {
  const issues = issuesOf(schema, value, { quote: true, ...(readOnly && { readOnly }) });
  if (issues.length > 0) {
    throw invalid(issues.map((issue) => ({ in: where, ...issue })));
  }
  return value as Static<S>;
}

/** Returns the issues of `value`: JSON pointers with a sentence each. */
export function issuesOf(
  schema: TSchema,
  value: unknown,
  options: DescribeOptions = { quote: false },
): Omit<Issue, 'in'>[] {
  const validate = compiled.get(schema) ?? compile(schema);
  if (validate(value)) {
    return [];
  }
  const said = new Map<string, Omit<Issue, 'in'>>();
  for (const [index, error] of worthReporting(validate.errors ?? []).entries()) {
    // Thousands of comparisons with the known names would block the process for seconds.
    const issue = describeError(error, { ...options, suggest: index < ISSUES_MAX });
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
