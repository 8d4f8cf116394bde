import { Type, type Static } from 'typebox';
import { Fault } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { defineSection, key, type EntryIssue } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { currencyOfSubAccount } from '../accounts/sub-accounts/sub-account.store.ts';
import { normalised } from '../contacts/claim-addresses.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { findContactByEmail } from '../contacts/find-by-email.ts';
import { Estimate } from './estimate.entity.ts';
import { ESTIMATE_STATUSES } from './estimate.schema.ts';
import { moveToKept } from '../contacts/merge/move-to-kept.ts';

const TOTAL_MAX = 1e12;

const schema = s.request({
  key: key(),
  number: s.shortText({ description: 'Number that the customer sees.' }),
  contactEmail: s.email({ description: 'Email address of the contact that the estimate is for.' }),
  status: s.oneOf(ESTIMATE_STATUSES),
  isApproved: Type.Optional(
    Type.Boolean({ description: 'Default: true if the status is approved.' }),
  ),
  total: Type.Number({ minimum: -TOTAL_MAX, maximum: TOTAL_MAX }),
  currency: Type.Optional(s.currency({ description: "Default: the sub-account's currency." })),
  validUntil: Type.Optional(s.nullable(s.isoTime())),
  approvedAt: Type.Optional(s.nullable(s.isoTime())),
});

type EstimateInput = Static<typeof schema>;
type EstimateEntry = Pick<Estimate, 'key' | 'number' | 'status' | 'isApproved' | 'total'> & {
  readonly currency: string | null;
  /** Null if the contact was deleted. */
  readonly contactEmail: string | null;
  readonly validUntil: string | null;
  readonly approvedAt: string | null;
};

interface Row {
  readonly estimate: Estimate;
  readonly hasContact: boolean;
}

export const estimatesSection = defineSection({
  name: 'estimates',
  summary: 'Quotes that booking assistants can show to their contact.',
  match: 'key',
  schema,
  check: issuesOf,
  complete: (given: EstimateInput, stored: EstimateEntry | undefined): EstimateEntry => ({
    currency: stored?.currency ?? null,
    ...given,
    isApproved: given.isApproved ?? given.status === 'approved',
    validUntil: isoOf(given.validUntil),
    approvedAt: isoOf(given.approvedAt),
  }),
  skip,
  load,
  exportOf: (row) => ({ ...valueOf(row), contactEmail: row.estimate.contactEmail }),
  valueOf,
  idOf: ({ estimate }) => estimate.id,
  async create(work, wanted) {
    const { em, subAccountId, now } = work;
    const times = { createdAt: now, updatedAt: now };
    const fields = await fieldsOf(work, wanted);
    const estimate = em.create(Estimate, { ...fields, subAccountId, id: newId(now), ...times });
    em.persist(estimate);
    return { estimate, hasContact: true };
  },
  async update(work, { estimate }, wanted) {
    work.em.assign(estimate, { ...(await fieldsOf(work, wanted)), updatedAt: work.now });
  },
  remove: ({ em }, { estimate }) => void em.remove(estimate),
});

function valueOf({ estimate, hasContact }: Row): EstimateEntry {
  return {
    key: estimate.key,
    number: estimate.number,
    contactEmail: hasContact ? estimate.contactEmail : null,
    status: estimate.status,
    isApproved: estimate.isApproved,
    total: estimate.total,
    currency: estimate.currency,
    validUntil: estimate.validUntil?.toISOString() ?? null,
    approvedAt: estimate.approvedAt?.toISOString() ?? null,
  };
}

/**
 * A manifest outlives contacts: a stored estimate of a deleted contact is skipped, so that the rest can
 * be applied. A new estimate for an unknown contact is refused.
 */
async function skip(
  work: Work,
  { contactEmail }: EstimateInput,
  row: Row | undefined,
): Promise<string | undefined> {
  const isGone =
    row?.hasContact === false &&
    normalised(row.estimate.contactEmail) === normalised(contactEmail) &&
    (await findContactByEmail(work, contactEmail)) === undefined;
  return isGone ? `the contact with the email ${contactEmail} was deleted` : undefined;
}

const isoOf = (time: string | null | undefined): string | null =>
  time ? new Date(time).toISOString() : null;

function issuesOf({ approvedAt, isApproved, status }: EstimateInput): readonly EntryIssue[] {
  const isOpen = isApproved === false || (isApproved === undefined && status !== 'approved');
  return approvedAt && isOpen
    ? [{ path: '/approvedAt', message: 'is allowed only for an approved estimate' }]
    : [];
}

async function load({ em, subAccountId }: Work): Promise<Row[]> {
  const estimates = await em.find(Estimate, { subAccountId }, { orderBy: { id: 'asc' } });
  const id = { $in: estimates.map(({ contactId }) => contactId) };
  const live = await em.find(Contact, { subAccountId, id, deletedAt: null }, { fields: ['id'] });
  const ids = new Set(live.map(({ id }) => id));
  return estimates.map((estimate) => ({ estimate, hasContact: ids.has(estimate.contactId) }));
}

async function fieldsOf(work: Work, { contactEmail, ...wanted }: EstimateEntry) {
  const contact = contactEmail === null ? undefined : await findContactByEmail(work, contactEmail);
  if (contact === undefined || contactEmail === null) {
    const message = `estimates: ${wanted.key} is for ${contactEmail}, but no contact has that email`;
    throw new Fault('VALIDATION_ERROR', message);
  }
  return {
    ...wanted,
    contactEmail,
    contactId: contact.id,
    currency: wanted.currency ?? (await currencyOfSubAccount(work)),
    validUntil: wanted.validUntil === null ? null : new Date(wanted.validUntil),
    approvedAt: wanted.approvedAt === null ? null : new Date(wanted.approvedAt),
  };
}

/** Moves the quotes of a merged contact to the kept one. */
export const moveEstimatesOfContact = moveToKept({ table: 'estimates', isDated: true });
