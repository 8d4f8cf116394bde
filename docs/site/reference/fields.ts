import { html, type Html, type Part } from '#lib/html.ts';
import { isRefused } from '#platform/openapi/request-body.ts';
import type { Parameter, Schema } from './operation.ts';

/** A member of a body, a response or a query, as readers see it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** Limits and allowed values. */
  readonly limits: readonly string[];
  readonly description: string | undefined;
  readonly fields: readonly Field[];
}

/** Returns the members of a schema: of an object, of a list's items, or of every alternative. */
export function fieldsOf(schema: Schema): readonly Field[] {
  const { properties, items, anyOf, oneOf, required } = schema;
  if (properties) {
    return Object.entries(properties).map(([name, member]) => ({
      name,
      type: typeOf(member),
      isRequired: required?.includes(name) === true,
      limits: limitsOf(member),
      description: member.description,
      fields: fieldsOf(member),
    }));
  }
  if (items) {
    return fieldsOf(items);
  }
  const alternatives = (anyOf ?? oneOf ?? []).flatMap(fieldsOf);
  return [...new Map(alternatives.map((field) => [field.name, field])).values()];
}

export const parameterField = (parameter: Parameter): Field => ({
  name: parameter.name,
  type: typeOf(parameter.schema),
  isRequired: parameter.required,
  limits: limitsOf(parameter.schema),
  description: parameter.description ?? parameter.schema.description,
  fields: [],
});

/** `string or null`, `array of uuid`. */
function typeOf(schema: Schema): string {
  const { type, format, items, anyOf, oneOf, enum: values, const: value } = schema;
  const alternatives = anyOf ?? oneOf;
  if (alternatives) {
    return [...new Set(alternatives.map(typeOf))].join(' or ');
  }
  if (isRefused(schema)) {
    return 'not accepted';
  }
  if (type === undefined) {
    return values || value !== undefined ? 'string' : 'any';
  }
  const named = [type].flat().map((one) => {
    if (one === 'array') {
      return items ? `array of ${typeOf(items)}` : 'array';
    }
    return one === 'string' && format && format !== 'not-blank' ? (FORMATS[format] ?? format) : one;
  });
  return named.join(' or ');
}

/** Formats whose names say little by themselves. */
const FORMATS: Readonly<Record<string, string>> = {
  'not-only-blanks': 'string',
  search: 'string',
  e164: 'phone number (E.164)',
  'date-time': 'timestamp (ISO 8601)',
  'time-zone': 'time zone (IANA)',
};

function limitsOf(schema: Schema): string[] {
  const { enum: values, const: value, default: fallback, items } = schema;
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least === undefined && most === undefined) {
      return [];
    }
    const isSame = least === most;
    const text =
      most === undefined
        ? `at least ${least}`
        : least && !isSame
          ? `${least}–${most}`
          : `${isSame ? '' : 'at most '}${most}`;
    return [`${text}${unit}`];
  };
  const allowed = value === undefined ? (values ?? items?.enum) : [value];
  return [
    ...(allowed ? [`one of ${allowed.map((one) => JSON.stringify(one)).join(', ')}`] : []),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...range(schema.minimum, schema.maximum, ''),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
  ];
}

/** A list of members; those of an object open with it. */
export function fieldList(fields: readonly Field[], shown: (field: Field) => Part): Html {
  return html`<ul class="fields">
    ${fields.map((field) => fieldItem(field, shown))}
  </ul>`;
}

function fieldItem(field: Field, shown: (field: Field) => Part): Html {
  const { name, type, isRequired, limits, description, fields } = field;
  return html`<li>
    <p class="field">
      <code>${name}</code> <span class="type">${type}</span>
      ${isRequired && html`<span class="required">required</span>`}
    </p>
    ${description && html`<div class="about">${shown(field)}</div>`}
    ${limits.length > 0 && html`<p class="limits">${limits.join(' · ')}</p>`}
    ${
      fields.length > 0 &&
      html`<details>
        <summary>Members of <code>${name}</code></summary>
        ${fieldList(fields, shown)}
      </details>`
    }
  </li>`;
}
