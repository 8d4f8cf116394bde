import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { nullable, oneOf, shortText, request } from '#core/schema/schema.ts';
import { defineSection, key, type EntryIssue } from '#core/section.ts';
import { CustomField } from './custom-field.entity.ts';
import { CUSTOM_FIELD_TYPES } from './custom-field.ts';

const OPTIONS_MAX = 500;

const schema = request({
  name: key({ description: 'The key under `customFields` of a contact.' }),
  label: Type.Optional(shortText({ description: 'Label that people see. Default: the name.' })),
  type: Type.Optional(oneOf(CUSTOM_FIELD_TYPES, { default: 'text' })),
  options: Type.Optional(
    nullable(
      Type.Array(shortText(), {
        minItems: 1,
        maxItems: OPTIONS_MAX,
        uniqueItems: true,
        description: 'The values of a select: required for this type, not allowed for others.',
      }),
    ),
  ),
  isRequired: Type.Optional(
    Type.Boolean({ default: false, description: 'Contacts cannot be created without a value.' }),
  ),
});

type CustomFieldInput = Static<typeof schema>;

/**
 * Changing or removing a definition does not change the values of contacts: they stay visible, the new
 * rules apply to the next write, and a definition that is added again applies to the old values.
 */
export const customFieldsSection = defineSection({
  name: 'customFields',
  summary: 'Custom fields of contacts, in the order in which they are listed.',
  match: 'name',
  schema,
  check: optionsIssue,
  complete: ({ name, label = name, type = 'text', options = null, isRequired = false }) => {
    return { name, label, type, options, isRequired };
  },
  cautions: (stored, wanted) =>
    stored.type === wanted.type
      ? []
      : [`${wanted.name} was of type ${stored.type}; stored values are not converted`],
  load: ({ em, subAccountId }) =>
    em.find(CustomField, { subAccountId }, { orderBy: { position: 'asc', name: 'asc' } }),
  valueOf: ({ name, label, type, options, isRequired }: CustomField) => {
    return { name, label, type, options, isRequired };
  },
  create({ em, subAccountId, now }, wanted) {
    const id = newId(now);
    const field = em.create(CustomField, {
      ...wanted,
      subAccountId,
      id,
      position: 0,
      createdAt: now,
      updatedAt: now,
    });
    em.persist(field);
    return field;
  },
  update({ em, now }, field, wanted) {
    em.assign(field, { ...wanted, updatedAt: now });
  },
  remove({ em }, field) {
    em.remove(field);
  },
  place(field, position) {
    field.position = position;
  },
});

function optionsIssue({ type = 'text', options }: CustomFieldInput): readonly EntryIssue[] {
  const isSelect = type === 'select';
  if (isSelect === Boolean(options)) {
    return [];
  }
  return [
    {
      path: '/options',
      message: isSelect ? 'is required for a select' : `belongs to a select; this is ${type}`,
    },
  ];
}
