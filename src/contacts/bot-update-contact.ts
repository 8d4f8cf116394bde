import { issuesOf } from '#core/schema/check.ts';
import { invalidField } from '#core/fault.ts';
import type { Work } from '#core/work.ts';
import type { Contact } from './contact.entity.ts';
import { BOT_FIELDS, contactPatch, type BotUpdate, type ContactPatch } from './contact.schema.ts';
import {
  customFieldDefinitions,
  issueWith,
  parseText,
  unknownField,
} from './fields/custom-field.ts';
import { lockContact } from './contact.store.ts';
import { changeContact } from './update-contact.ts';

/**
 * Applies one scalar instruction of a bot (spec "Contacts", contract 5). An instruction that changes
 * nothing emits nothing.
 */
export async function botUpdateContact(work: Work, id: string, update: BotUpdate): Promise<void> {
  const contact = await lockContact(work, id);
  await changeContact(work, contact, await patchOf(work, contact, update), { blamed: '/value' });
}

async function patchOf(work: Work, contact: Contact, update: BotUpdate): Promise<ContactPatch> {
  switch (update.operation) {
    case 'set_field':
      return standardField(update);
    case 'set_custom_field':
      return customField(work, update);
    case 'add_tag':
      return { tags: [...contact.tags, tagOf(update)] };
    case 'remove_tag': {
      const removed = tagOf(update).toLowerCase();
      return { tags: contact.tags.filter((tag) => tag.toLowerCase() !== removed) };
    }
  }
}

function standardField({ field, value }: BotUpdate): ContactPatch {
  if (!BOT_FIELDS.some((allowed) => allowed === field) || field === undefined) {
    const given = field === undefined ? '' : `, not ${JSON.stringify(field)}`;
    throw invalidField('/field', `must be one of ${BOT_FIELDS.join(', ')}${given}`);
  }
  const newValue = nullIfEmpty(required(value));
  const patch = { [field]: newValue };
  const [issue] = issuesOf(contactPatch, patch);
  if (issue) {
    throw invalidField('/value', newValue === null ? 'must not be empty here' : issue.message);
  }
  return patch;
}

async function customField(work: Work, { field, value }: BotUpdate): Promise<ContactPatch> {
  const definitions = await work.cached(customFieldDefinitions);
  const definition = definitions.find(({ name }) => name === field);
  if (!definition) {
    throw invalidField('/field', unknownField(field ?? '', definitions));
  }
  const input = nullIfEmpty(required(value));
  if (input === null && definition.isRequired) {
    throw invalidField('/value', 'is required and cannot be cleared');
  }
  const newValue =
    typeof input === 'string' && definition.type === 'number'
      ? parseText(definition, input)
      : input;
  const issue = newValue === null ? undefined : issueWith(definition, newValue);
  if (issue) {
    throw invalidField('/value', issue);
  }
  return { customFields: { [definition.name]: newValue } };
}

function required(value: BotUpdate['value']): string | number | boolean {
  if (value === undefined) {
    throw invalidField('/value', 'is required');
  }
  return value;
}

const nullIfEmpty = <T>(value: T): T | null => (value === '' ? null : value);

function tagOf({ value }: BotUpdate): string {
  const patch = { tags: [required(value)] };
  const [issue] = issuesOf(contactPatch, patch);
  if (issue) {
    throw invalidField('/value', issue.message);
  }
  return String(value).trim();
}
