import { defineEntity, p } from '@mikro-orm/core';
import { timestamps } from '#platform/database/columns.ts';
import type { AddedLanguages } from '#lib/translate.ts';

export const SubAccountTable = defineEntity({
  name: 'SubAccount',
  tableName: 'sub_accounts',
  uniques: [{ properties: ['locationId'] }],
  properties: {
    id: p.uuid().primary(),
    /** Stable public id, part of every event. */
    locationId: p.text(),
    name: p.text(),
    timezone: p.text(),
    currency: p.text(),
    locale: p.text(),
    brand: p.text().nullable(),
    /** `#rrggbb` in lower case. */
    brandColor: p.text().nullable(),
    logoUrl: p.text().nullable(),
    admins: p.array().defaultRaw("'{}'"),
    /** Null means all features. */
    features: p.array().nullable(),
    customValues: p.json<Record<string, string>>().defaultRaw("'{}'"),
    /** Texts of customer pages, by language tag. */
    languages: p.json<AddedLanguages>().defaultRaw("'{}'").lazy(),
    sandbox: p.boolean(),
    ...timestamps(),
    deletedAt: p.datetime().nullable(),
    /** Of the hashes of erased addresses; null before the first erasure. */
    erasureKey: p.blob().nullable().lazy(),
  },
});

export class SubAccount extends SubAccountTable.class {}
SubAccountTable.setClass(SubAccount);
