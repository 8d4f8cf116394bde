import { describe, expect, test } from 'vitest';
import type { Contact } from '../../sdk/src/generated/contacts.ts';
import { emailsOf, sourceOfItems } from '../../web/console/contacts/merge-source.ts';

const contact = (email: string | null, ...additionalEmails: string[]) =>
  emailsOf({ email, additionalEmails } as unknown as Contact);

describe('the additional addresses after a merge', () => {
  test.for([
    ['of the deleted contact alone', ['b@x.example'], 'other'],
    ['of the remaining contact alone', ['a2@x.example'], 'kept'],
    ['of both', ['a2@x.example', 'b@x.example'], 'both'],
    ['whatever their case', ['B@X.example'], 'other'],
    ['of neither', ['c@x.example'], 'both'],
  ] as const)('are %s', ([, items, source]) => {
    const kept = contact('a@x.example', 'a2@x.example');
    expect(sourceOfItems(items, { kept, other: contact('b@x.example') })).toBe(source);
  });

  test('come from the contact that has some', () => {
    const kept = contact('a@x.example');
    const own = { kept, other: contact(null, 'b@x.example') };
    expect(sourceOfItems(['b@x.example'], own)).toBe('other');
  });
});
