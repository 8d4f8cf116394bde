import { defineEntity, p } from '@mikro-orm/core';
import { recordKey, timestamps } from '#platform/database/columns.ts';
import type { CustomFieldType } from './custom-field.ts';

const CustomFieldTable = defineEntity({
  name: 'CustomField',
  tableName: 'custom_field_definitions',
  uniques: [{ properties: ['subAccountId', 'name'] }],
  properties: {
    ...recordKey(),
    name: p.text(),
    label: p.text(),
    type: p.text().$type<CustomFieldType>(),
    /** Null unless the type is `select`. */
    options: p.array().nullable(),
    isRequired: p.boolean().default(false),
    position: p.integer(),
    ...timestamps(),
  },
});

export class CustomField extends CustomFieldTable.class {
  static readonly foreignKeys = ['(sub_account_id) references sub_accounts (id)'];
}
CustomFieldTable.setClass(CustomField);
