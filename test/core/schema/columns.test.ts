import { describe, expect, test } from 'vitest';
import { insertInto, snakeCase } from '#core/schema/columns.ts';

describe('snakeCase', () => {
  test.for([
    ['id', 'id'],
    ['firstName', 'first_name'],
    ['subAccountId', 'sub_account_id'],
    ['addressLine1', 'address_line1'],
  ])('%s is column %s', ([member = '', column]) => {
    expect(snakeCase(member)).toBe(column);
  });
});

test('insertInto names the columns and numbers their values', () => {
  expect(insertInto('contacts', ['subAccountId', 'id', 'firstName'])).toMatch(
    /^insert into contacts \(sub_account_id, id, first_name\)\s+values \(\$1, \$2, \$3\)$/,
  );
});
