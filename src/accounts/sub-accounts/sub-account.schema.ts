import { pattern } from '#core/schema/describe-error.ts';
import { Type, type Static } from 'typebox';
import { currency, partial, shortText, request, timeZone } from '#core/schema/schema.ts';

/** A language tag such as `en` or `de-AT`. */
const locale = () =>
  Type.String({
    ...pattern(
      '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
      'must be a language tag, for example en or de-AT',
    ),
    maxLength: 35,
    examples: ['en-GB'],
  });

const settings = { timezone: timeZone(), currency: currency(), locale: locale() };

export const subAccountCreate = request({
  name: shortText(),
  ...partial(settings),
  sandbox: Type.Optional(Type.Boolean()),
});
export type SubAccountCreate = Static<typeof subAccountCreate>;

export const subAccountPatch = request(partial({ name: shortText(), ...settings }));
export type SubAccountPatch = Static<typeof subAccountPatch>;
