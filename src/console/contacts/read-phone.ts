import { Type, type Static } from 'typebox';
import { FORMATS } from '#core/schema/formats.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { regionOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { localFormats } from '../../contacts/import/local-formats.ts';

export const phoneQuery = s.request({ text: Type.String({ minLength: 1, maxLength: 200 }) });

export const phoneReading = s.response({
  number: s.nullable(s.phone({ description: 'null if the text is not one phone number' })),
  examples: s.response({ national: Type.String(), international: s.phone() }),
});

/** Returns the number that a text means, read like the numbers of an import, and numbers to follow. */
export async function readPhone(view: View, text: string): Promise<Static<typeof phoneReading>> {
  const { phone, examplePhones } = localFormats(await regionOfSubAccount(view));
  const number = phone(text.trim());
  const [national, international] = examplePhones();
  return {
    number: FORMATS['e164']?.test(number) ? number : null,
    examples: { national, international },
  };
}
