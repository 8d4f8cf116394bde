import { Fault, type Issue } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { emailKeysOf, normalised } from '../claim-addresses.ts';
import { changeContacts, insertContacts } from '../write-contacts-in-bulk.ts';
import { changeOf, type ContactChange } from '../contact-change.ts';
import type { ContactCreate, ContactPatch } from '../contact.schema.ts';
import type { CustomFieldDefinition } from '../fields/custom-field.ts';
import {
  findContactIds,
  findImportTargets,
  keysOf,
  knownTo,
  type ImportTargets,
  type Target,
} from './find-import-targets.ts';
import { newContact, type NewContact } from '../create-contact.ts';
import { refusalOf, type ContactRow } from './parse-contact-row.ts';

export interface ImportSettings {
  /** The record id of the audit rows, one per batch. */
  readonly importId: string;
  readonly definitions: readonly CustomFieldDefinition[];
  /** The id of the contact that a line creates, the same in every run of the file. */
  readonly idOfLine?: ((line: number) => string) | undefined;
  /** Called with the ids of the imported contacts, in the same Work. */
  readonly onContacts?: (work: Work, contactIds: readonly string[]) => void;
}

/** The result of a row. */
export interface Settled {
  readonly line: number;
  readonly as: 'created' | 'updated' | 'skipped' | 'failed';
  readonly message?: string;
}

export interface ImportedRows {
  readonly settled: readonly Settled[];
  /** Rows that move emails between contacts: each needs its own Work. */
  readonly alone: readonly ContactRow[];
  /** Rows about the same contact or email as an earlier row: to be imported after all others. */
  readonly later: readonly ContactRow[];
}

/**
 * Creates and changes contacts in one Work; a refused row does not affect the others. Throws a Fault
 * if a concurrent change won: then nothing was written.
 */
export async function importRows(
  work: Work,
  rows: readonly ContactRow[],
  settings: ImportSettings,
): Promise<ImportedRows> {
  // Ids are taken before the first await: they must follow the file's order.
  const { idOfLine = () => newId(work.now) } = settings;
  const withIds = rows.map((row): RowWithId => ({ row, id: idOfLine(row.line) }));
  const { stored, left } = await separateStored(work, withIds, settings);
  const targets = await findImportTargets(
    work,
    left.map(({ row }) => row),
  );
  const { first, later } = partitionConflicts(left, ({ row }) => marksOf(row, targets));
  const created: NewContact[] = [];
  const changed = new Map<string, ContactChange>();
  const alone: ContactRow[] = [];
  const settled = stored.map(({ row }): Settled => ({ line: row.line, as: 'created' }));
  const contactIds: string[] = [];
  for (const one of first) {
    const { row } = one;
    const decision = await decide(work, one, targets, settings);
    if (decision.as === 'updated' && rows.length > 1 && movesEmails(decision.change)) {
      alone.push(row);
      continue;
    }
    if (decision.as === 'created') {
      created.push(decision.record);
    } else if (decision.as === 'updated') {
      changed.set(decision.id, decision.change);
    }
    if (decision.as !== 'failed') {
      contactIds.push(decision.id);
    }
    settled.push({ line: row.line, ...resultOf(decision) });
  }
  if (created.length > 0 || changed.size > 0) {
    work.audit(settings.importId);
  }
  await insertContacts(work, created);
  await changeContacts(work, changed);
  settings.onContacts?.(work, contactIds);
  return { settled, alone, later: later.map(({ row }) => row) };
}

/** A row, and the id of the contact that it may create. */
interface RowWithId {
  readonly row: ContactRow;
  readonly id: string;
}

type Decision =
  | { readonly as: 'created'; readonly id: string; readonly record: NewContact }
  | { readonly as: 'updated'; readonly id: string; readonly change: ContactChange }
  | { readonly as: 'skipped'; readonly id: string }
  | { readonly as: 'failed'; readonly message: string };

const resultOf = (decision: Decision): Pick<Settled, 'as' | 'message'> =>
  decision.as === 'failed' ? { as: decision.as, message: decision.message } : { as: decision.as };

/**
 * Separates rows whose contact was created by an earlier run of this import. It is left alone, whatever
 * became of it: it may have been changed, merged or deleted.
 */
async function separateStored(
  work: Work,
  rows: readonly RowWithId[],
  { idOfLine }: ImportSettings,
): Promise<{ readonly stored: readonly RowWithId[]; readonly left: readonly RowWithId[] }> {
  if (!idOfLine) {
    return { stored: [], left: rows };
  }
  const ids = await findContactIds(
    work,
    rows.map(({ id }) => id),
  );
  return {
    stored: rows.filter(({ id }) => ids.has(id)),
    left: rows.filter(({ id }) => !ids.has(id)),
  };
}

async function decide(
  work: Work,
  { row, id }: RowWithId,
  targets: ImportTargets,
  { definitions }: ImportSettings,
): Promise<Decision> {
  try {
    const target = targetOf(row, targets);
    refuseForeign(row, target?.id, targets);
    if (!target) {
      return { as: 'created', id, record: newContact(work, definitions, id, complete(row)) };
    }
    const change = await changeOf(work, target, patchOf(row, target));
    return change ? { as: 'updated', id: target.id, change } : { as: 'skipped', id: target.id };
  } catch (error) {
    if (error instanceof Fault) {
      return { as: 'failed', message: messageOf(error) };
    }
    throw error;
  }
}

/** Returns a fault's message with the names of the columns at fault. */
export function messageOf(fault: Fault): string {
  const { issues } = (fault.details ?? {}) as { issues?: readonly Issue[] };
  return issues?.map(refusalOf).join('; ') ?? fault.message;
}

/** Returns the ids of contacts and the emails that a row is about. */
function marksOf(row: ContactRow, { owners }: ImportTargets): string[] {
  const keys = keysOf(row);
  const ids = [row.id, ...keys.map((key) => owners.get(key))];
  return [...keys, ...ids.filter((id) => id !== undefined)];
}

/** Returns the live contact that a row names: by its id, else by its email. */
const targetOf = (row: ContactRow, targets: ImportTargets): Target | undefined =>
  targets.contacts.get(row.id ?? '') ?? knownTo(targets, row);

/** Throws for what the database would refuse together with all the rows of the batch. */
function refuseForeign(
  { fields }: ContactRow,
  targetId: string | undefined,
  { owners, members }: ImportTargets,
): void {
  const { email, additionalEmails = [], assignedTo } = fields;
  const isForeign = (address: string) => (owners.get(normalised(address)) ?? targetId) !== targetId;
  if (email && isForeign(email)) {
    throw refused('email: belongs to another contact');
  }
  if (additionalEmails.some(isForeign)) {
    throw refused('additionalEmails: belongs to another contact');
  }
  if (assignedTo && !members.has(assignedTo)) {
    throw refused('assignedTo: is not a team member of this sub-account');
  }
}

/** The last name may be empty, so that every exported file can be imported. */
function complete({ fields }: ContactRow): ContactCreate {
  const { firstName, lastName = '' } = fields;
  if (firstName === undefined) {
    throw refused('firstName: is required');
  }
  return { ...fields, firstName, lastName };
}

const refused = (message: string) => new Fault('VALIDATION_ERROR', message);

/**
 * Returns the patch of a row. The email by which the contact was found keeps its spelling and place.
 * Unchanged custom fields are left out: reading the definitions for each row would be slow.
 */
function patchOf({ id, fields }: ContactRow, target: Target): ContactPatch {
  const { email, customFields, ...patch } = fields;
  const differing = Object.entries(customFields ?? {}).filter(
    ([name, value]) => target.customFields[name] !== value,
  );
  return {
    ...patch,
    ...(id === target.id && email && { email }),
    ...(differing.length > 0 && { customFields: Object.fromEntries(differing) }),
  };
}

function movesEmails({ before, after }: ContactChange): boolean {
  const had = new Set(emailKeysOf(before));
  const has = emailKeysOf(after);
  return has.length !== had.size || has.some((key) => !had.has(key));
}

/** Rows that can be imported together, and rows that must wait for them. */
export interface Partition<R> {
  readonly first: readonly R[];
  readonly later: readonly R[];
}

/**
 * Separates every row that shares a mark with an earlier row, even a separated one: rows about the
 * same contact are imported in the order of the file.
 */
export function partitionConflicts<R>(
  rows: readonly R[],
  marksOf: (row: R) => readonly string[],
): Partition<R> {
  const taken = new Set<string>();
  const first: R[] = [];
  const later: R[] = [];
  for (const row of rows) {
    const marks = marksOf(row);
    (marks.some((mark) => taken.has(mark)) ? later : first).push(row);
    marks.forEach((mark) => taken.add(mark));
  }
  return { first, later };
}
