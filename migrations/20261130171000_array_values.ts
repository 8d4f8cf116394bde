import { defineMigration } from '#platform/database/migrate/migration.ts';

// Changed arrays lost a value that is the word null: it was stored as no value.
const restored = (table: string, column: string): string =>
  `update ${table} set ${column} = array_replace(${column}, null, 'null')
   where array_position(${column}, null) is not null`;

export const arrayValues = defineMigration('20261130171000_array_values', [
  restored('contacts', 'tags'),
  restored('opportunities', 'tags'),
  restored('custom_field_definitions', 'options'),
  restored('contact_imports', 'columns'),
]);
