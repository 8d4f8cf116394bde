import { Type, type Static, type TSchema } from 'typebox';
import { email, nullable, shortText, request } from '#core/schema/schema.ts';
import { defineSection, key } from '#core/section.ts';
import { loadSubAccount } from './sub-account.store.ts';
import type { SubAccount } from './sub-account.entity.ts';
import { subAccountPatch } from './sub-account.schema.ts';

const ADMINS_MAX = 50;
const FEATURES_MAX = 100;

const { name, timezone, currency, locale } = subAccountPatch.properties;

const schema = request({
  name: described(name, 'Name of the sub-account.'),
  timezone: described(timezone, 'IANA time zone, for example Europe/Berlin.'),
  currency: described(currency, 'ISO 4217 code, for example EUR.'),
  locale: described(locale, 'Language tag, for example en-GB.'),
  brand: Type.Optional(nullable(shortText({ description: 'Name that customers see.' }))),
  admins: Type.Optional(
    Type.Array(email(), {
      maxItems: ADMINS_MAX,
      uniqueItems: true,
      description: 'Email addresses that are notified when something needs attention.',
    }),
  ),
  features: Type.Optional(
    nullable(
      Type.Array(key(), {
        maxItems: FEATURES_MAX,
        uniqueItems: true,
        description: 'Features that the sub-account can use, for example campaigns; default: all.',
      }),
    ),
  ),
});

type Settings = Required<Static<typeof schema>>;

export const subAccountSection = defineSection({
  name: 'subAccount',
  summary: 'Settings of the sub-account. Fields left out keep their values, except `features`.',
  match: 'only',
  schema,
  complete: (given, stored: Settings | undefined) =>
    ({ ...stored, features: null, ...given }) as Settings,
  load: async (work) => [await loadSubAccount(work)],
  valueOf: ({ name, timezone, currency, locale, brand, admins, features }: SubAccount) => {
    return {
      name,
      timezone,
      currency,
      locale,
      brand: brand ?? null,
      admins,
      features: features ?? null,
    };
  },
  create: () => {
    throw new Error('a manifest cannot create a sub-account');
  },
  update({ em, now }, subAccount, wanted) {
    em.assign(subAccount, { ...wanted, updatedAt: now });
  },
});

/** Adds a description to a field of `sub-account update`. */
function described<S extends TSchema>(schema: S, description: string) {
  return Type.Optional(Type.Unsafe<Static<S>>({ ...schema, description }));
}
