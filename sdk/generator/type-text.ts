import type { TSchema } from 'typebox';
import { tsdoc } from './tsdoc.ts';

/** The direction of a value: bodies and queries are inputs, responses outputs. */
export type Use = 'body' | 'query' | 'answer';

export interface Naming {
  readonly use: Use;
  /** Returns the name of a type, given its text without comments. */
  nameOf(bare: string): string | undefined;
}

interface Keywords {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly TSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly additionalProperties?: boolean | TSchema;
  readonly description?: string;
}

/**
 * Returns the TypeScript of a schema, or its name if it has one; throws for unsupported schemas.
 */
export const typeText = (schema: TSchema, naming: Naming, isDescribed = true): string =>
  naming.nameOf(ownText(schema, naming, false)) ?? ownText(schema, naming, isDescribed);

/** Returns the text of a type's own declaration; without comments it identifies the type. */
export function ownText(schema: TSchema, naming: Naming, isDescribed = true): string {
  const { type, anyOf, const: value, enum: values } = schema as Keywords;
  const inner = (one: TSchema) => typeText(one, naming, isDescribed);
  if (anyOf) {
    return anyOf.map(inner).join(' | ');
  }
  if (value !== undefined) {
    return JSON.stringify(value);
  }
  const types = [type ?? []].flat();
  if (types.length > 1) {
    return types.map((one) => inner(only(schema, one))).join(' | ');
  }
  if (values) {
    return values.map((one) => JSON.stringify(one)).join(' | ');
  }
  return textOf(types[0], schema, { naming, inner, isDescribed });
}

/** Returns the text of one of the types that a schema allows. */
function only(schema: TSchema, type: string): TSchema {
  const { enum: values, ...rest } = schema as Keywords;
  const left = values?.filter((value) => value !== null);
  return { ...rest, type, ...(left && type !== 'null' && { enum: left }) };
}

interface Context {
  readonly naming: Naming;
  readonly inner: (schema: TSchema) => string;
  readonly isDescribed: boolean;
}

function textOf(type: string | undefined, schema: Keywords, context: Context): string {
  switch (type) {
    case undefined:
      return anythingText(schema);
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayText(schema, context);
    case 'object':
      return objectText(schema, context);
    default:
      throw new Error(`unsupported type ${type}`);
  }
}

function anythingText(schema: Keywords): string {
  const { description: _, ...rules } = schema;
  if (Object.keys(rules).length > 0) {
    throw new Error(`unsupported schema ${JSON.stringify(rules)}`);
  }
  return 'unknown';
}

function arrayText({ items }: Keywords, { naming, inner }: Context): string {
  const item = items ? inner(items) : 'unknown';
  const array = /[ |{]/.test(item) ? `(${item})[]` : `${item}[]`;
  if (naming.use === 'query') {
    return `${item} | readonly ${array}`;
  }
  return naming.use === 'body' ? `readonly ${array}` : array;
}

function objectText(schema: Keywords, context: Context): string {
  const { naming, inner } = context;
  const { properties, patternProperties = {}, additionalProperties: others } = schema;
  if (properties) {
    const members = Object.entries(properties);
    return `{\n${members.map((member) => memberText(member, schema, context)).join('\n')}\n}`;
  }
  const [value = typeof others === 'object' ? others : undefined] =
    Object.values(patternProperties);
  const record = `Record<string, ${value ? inner(value) : 'unknown'}>`;
  return naming.use === 'answer' ? record : `Readonly<${record}>`;
}

function memberText(
  [name, schema]: readonly [string, TSchema],
  { required = [] }: Keywords,
  { naming: { use }, inner, isDescribed }: Context,
): string {
  const { description } = schema as Keywords;
  const comment = isDescribed && description ? `${tsdoc([description])}\n` : '';
  const type = inner(schema);
  if (required.includes(name)) {
    return `${comment}${nameText(name)}: ${type};`;
  }
  if (use === 'answer') {
    return `${comment}${nameText(name)}?: ${type};`;
  }
  // A member that accepts anything is declared only to be refused with a message: another call
  // changes it.
  const taken = type === 'unknown' ? 'never' : `${type} | undefined`;
  return `${comment}${nameText(name)}?: ${taken};`;
}

const nameText = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));
