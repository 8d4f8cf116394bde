import { Type, type Static, type TSchema } from 'typebox';
import { pattern } from '#core/schema/describe-error.ts';
import { email, nullable, shortText, request } from '#core/schema/schema.ts';
import { defineSection, key, type EntryIssue } from '#core/section.ts';
import { loadSubAccount } from './sub-account.store.ts';
import type { SubAccount } from './sub-account.entity.ts';
import { subAccountPatch } from './sub-account.schema.ts';

const ADMINS_MAX = 50;
const FEATURES_MAX = 100;
const URL_MAX = 2_000;

const { name, timezone, currency, locale } = subAccountPatch.properties;

const schema = request({
  name: described(name, 'Name of the sub-account.'),
  timezone: described(timezone, 'IANA time zone, for example Europe/Berlin.'),
  currency: described(currency, 'ISO 4217 code, for example EUR.'),
  locale: described(locale, 'Language tag, for example en-GB.'),
  brand: Type.Optional(nullable(shortText({ description: 'Name that customers see.' }))),
  brandColor: Type.Optional(
    nullable(
      Type.String({
        ...pattern(
          '^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
          'must be a colour as #rrggbb, for example #1d4ed8',
        ),
        description: 'Color of buttons and links on customer pages and in the chat, as #rrggbb.',
      }),
    ),
  ),
  logoUrl: Type.Optional(
    nullable(
      Type.String({
        maxLength: URL_MAX,
        description: "https address of the logo, shown beside the brand's name.",
      }),
    ),
  ),
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
  check: checkLogo,
  complete: (given, stored: Settings | undefined) =>
    ({
      ...stored,
      features: null,
      ...given,
      ...(given.brandColor && { brandColor: fullHex(given.brandColor) }),
      // `check` reports other texts.
      ...(given.logoUrl && { logoUrl: URL.parse(given.logoUrl)?.href ?? given.logoUrl }),
    }) as Settings,
  load: async (work) => [await loadSubAccount(work)],
  valueOf({ name, timezone, currency, locale, admins, features, ...look }: SubAccount) {
    const { brand, brandColor, logoUrl } = look;
    return {
      name,
      timezone,
      currency,
      locale,
      brand: brand ?? null,
      brandColor: brandColor ?? null,
      logoUrl: logoUrl ?? null,
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

/** Browsers load the logo on pages that are served by https. */
function checkLogo({ logoUrl }: Static<typeof schema>): EntryIssue[] {
  if (logoUrl === undefined || logoUrl === null) {
    return [];
  }
  const url = URL.canParse(logoUrl) ? new URL(logoUrl) : undefined;
  const isFetchable = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isFetchable
    ? []
    : [
        {
          path: '/logoUrl',
          message: `must be an https address without a password, such as https://harbour.example/logo.svg; given: ${JSON.stringify(logoUrl)}`,
        },
      ];
}

/** Returns `#rrggbb` in lower case for `#rgb` or `#rrggbb`, so that equal colors compare equal. */
const fullHex = (color: string): string =>
  (color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color).toLowerCase();
