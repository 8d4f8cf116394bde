import { Type, type Static } from 'typebox';
import { newId } from '#lib/id.ts';
import { currency, shortText, request } from '#core/schema/schema.ts';
import { defineSection, key } from '#core/section.ts';
import { currencyOfSubAccount } from '../accounts/sub-accounts/sub-account.store.ts';
import { ServiceType } from './service-type.entity.ts';

const PRICE_MAX = 1e12;
const TEXT_MAX = 5_000;

const schema = request({
  key: key(),
  name: shortText({ description: 'Name that customers see.' }),
  description: Type.Optional(Type.String({ maxLength: TEXT_MAX })),
  category: Type.Optional(shortText()),
  folder: Type.Optional(shortText()),
  price: Type.Number({ minimum: 0, maximum: PRICE_MAX }),
  currency: Type.Optional(currency({ description: "Default: the sub-account's currency." })),
  hasVariablePricing: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the price is a starting price.' }),
  ),
  onSale: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the service is shown.' }),
  ),
});

type ServiceTypeInput = Static<typeof schema>;
type ServiceTypeEntry = Pick<ServiceType, Exclude<keyof ServiceTypeInput, 'currency'>> & {
  readonly currency: string | null;
};

const MEMBERS = [
  'key',
  'name',
  'description',
  'category',
  'folder',
  'price',
  'currency',
  'hasVariablePricing',
  'onSale',
] as const;

export const serviceTypesSection = defineSection({
  name: 'serviceTypes',
  summary: 'The price list for booking assistants, in order.',
  match: 'key',
  schema,
  complete: (given: ServiceTypeInput, stored: ServiceTypeEntry | undefined): ServiceTypeEntry => ({
    description: null,
    category: null,
    folder: null,
    hasVariablePricing: false,
    onSale: true,
    currency: stored?.currency ?? null,
    ...given,
  }),
  load: ({ em, subAccountId }) =>
    em.find(ServiceType, { subAccountId }, { orderBy: { position: 'asc', id: 'asc' } }),
  valueOf: (row: ServiceType): ServiceTypeEntry =>
    Object.fromEntries(
      MEMBERS.map((member) => [member, row[member]]),
    ) as unknown as ServiceTypeEntry,
  idOf: ({ id }) => id,
  async create(work, wanted) {
    const { em, subAccountId, now } = work;
    const row = em.create(ServiceType, {
      ...wanted,
      currency: wanted.currency ?? (await currencyOfSubAccount(work)),
      subAccountId,
      id: newId(now),
      position: 0,
      createdAt: now,
      updatedAt: now,
    });
    em.persist(row);
    return row;
  },
  async update(work, row, wanted) {
    const currency = wanted.currency ?? (await currencyOfSubAccount(work));
    work.em.assign(row, { ...wanted, currency, updatedAt: work.now });
  },
  remove: ({ em }, row) => void em.remove(row),
  place(row, position) {
    row.position = position;
  },
});
