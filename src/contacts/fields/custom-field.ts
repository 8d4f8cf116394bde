import { FORMATS } from '#core/schema/formats.ts';
import type { CachedRead } from '#core/work.ts';

export const CUSTOM_FIELD_TYPES = [
  'text',
  'number',
  'select',
  'date',
  'boolean',
  'url',
  'email',
  'phone',
] as const;

export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

export interface CustomFieldDefinition {
  readonly name: string;
  readonly label: string;
  readonly type: CustomFieldType;
  readonly options: readonly string[] | null;
  readonly isRequired: boolean;
}

export const customFieldDefinitions: CachedRead<CustomFieldDefinition> = {
  tables: ['custom_field_definitions'],
  text: `select name, label, type, options, is_required as "isRequired"
    from custom_field_definitions where sub_account_id = $1 order by position, name`,
};

const TEXT_MAX = 5_000;

/** Returns why a value does not fit a field, or undefined if it fits. */
export function issueWith(field: CustomFieldDefinition, value: unknown): string | undefined {
  switch (field.type) {
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'select':
      return field.options?.includes(value as string)
        ? undefined
        : `must be one of ${field.options?.join(', ')}`;
    case 'text':
      return textIssue(value);
    case 'date':
      return textIssue(value) ?? formatIssue('date', value as string);
    case 'url':
      return textIssue(value) ?? formatIssue('uri', value as string);
    case 'email':
      return textIssue(value) ?? formatIssue('email', value as string);
    case 'phone':
      return textIssue(value) ?? formatIssue('e164', value as string);
  }
}

function textIssue(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return 'must be text';
  }
  return value.length > TEXT_MAX ? `must have at most ${TEXT_MAX} characters` : undefined;
}

function formatIssue(format: string, value: string): string | undefined {
  const known = FORMATS[format];
  return known && !known.test(value) ? known.says : undefined;
}

/** Parses the text of a number or boolean field. Any other text is returned as it is. */
export function parseText(field: CustomFieldDefinition, text: string): unknown {
  if (field.type === 'number' && /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text)) {
    return Number(text);
  }
  if (field.type === 'boolean' && /^(?:true|false)$/i.test(text)) {
    return text.toLowerCase() === 'true';
  }
  return text;
}
