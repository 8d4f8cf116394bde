import { newId } from '#lib/id.ts';
import type { CustomFieldDefinition } from '../../src/contacts/fields/custom-field.ts';
import type { TestService } from './service.ts';

type CustomFieldsInput = Pick<CustomFieldDefinition, 'name' | 'type'> &
  Partial<CustomFieldDefinition>;

/** Defines custom fields as a manifest would. */
export async function defineFields(
  service: TestService,
  fields: readonly CustomFieldsInput[],
): Promise<void> {
  for (const [position, { name, type, options = null, isRequired = false }] of fields.entries()) {
    await service.database.rows(
      `insert into custom_field_definitions
         (sub_account_id, id, name, label, type, options, is_required, position, created_at, updated_at)
       values ($1, $2, $3, $3, $4, $5, $6, $7, now(), now())`,
      [service.subAccountId, newId(new Date()), name, type, options, isRequired, position],
    );
  }
  await service.noticed();
}
