import { Fault, type Issue } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Work } from '#core/work.ts';
import { emailKeysOf, normalised } from '../addresses.ts';
import { changeContacts, insertContacts } from '../write-contacts.ts';
import { changeOf, type ContactChange } from '../contact-change.ts';
import type { ContactCreate, ContactPatch } from '../contact.schema.ts';
import type { CustomFieldDefinition } from '../fields/custom-field.ts';
import {
  findImportTargets,
  keysOf,
  knownTo,
  type ImportTargets,
  type Target,
} from './find-import-targets.ts';
import { newContact, type NewContact } from '../new-contact.ts';
import { refusalOf, type ContactRow } from './parse-contact-row.ts';

export interface ImportSettings {
  /** What audit rows name, one for each batch. */
  readonly importId: string;
  readonly definitions: readonly CustomFieldDefinition[];
  /** Told of the contacts that rows are about, in the same Work. */
  readonly onContacts?: (work: Work, contactIds: readonly string[]) => void;
}

/** What became of a row. */
export interface Settled {
  readonly line: number;
  readonly as: 'created' | 'updated' | 'skipped' | 'failed';
  readonly message?: string;
}

export interface ImportedRows {
  readonly settled: readonly Settled[];
  /** Rows that move addresses of contacts: each wants a Work of its own. */
  readonly alone: readonly ContactRow[];
  /** Rows about something that a row before them is about: to be imported after all others. */
  readonly later: readonly ContactRow[];
}

/**
 * Creates and changes contacts as the rows say, all in one Work; a row that is refused leaves the
 * others as they are. A Fault means that somebody else came first, and that nothing was written.
 */
export async function importRows(
  work: Work,
  rows: readonly ContactRow[],
  settings: ImportSettings,
): Promise<ImportedRows> {
  // Before anything is waited for: contacts are listed in the file's order, and two halves come in at once.
  const fresh = rows.map((row): Fresh => ({ row, id: newId(work.now) }));
  const targets = await findImportTargets(work, rows);
  const { first, later } = partitionConflicts(fresh, ({ row }) => marksOf(row, targets));
  const created: NewContact[] = [];
  const changed = new Map<string, ContactChange>();
  const alone: ContactRow[] = [];
  const settled: Settled[] = [];
  const about: string[] = [];
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
      about.push(decision.id);
    }
    const { as, message } = { message: undefined, ...decision };
    settled.push({ line: row.line, as, ...(message !== undefined && { message }) });
  }
  if (created.length > 0 || changed.size > 0) {
    work.audit(settings.importId);
  }
  await insertContacts(work, created);
  await changeContacts(work, changed);
  settings.onContacts?.(work, about);
  return { settled, alone, later: later.map(({ row }) => row) };
}

/** A row, and the id of the contact that it may make. */
interface Fresh {
  readonly row: ContactRow;
  readonly id: string;
}

/** What a row comes to. */
type Decision =
  | { readonly as: 'created'; readonly id: string; readonly record: NewContact }
  | { readonly as: 'updated'; readonly id: string; readonly change: ContactChange }
  | { readonly as: 'skipped'; readonly id: string }
  | { readonly as: 'failed'; readonly message: string };

async function decide(
  work: Work,
  { row, id }: Fresh,
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

/** A refusal by the names of the columns at fault. */
export function messageOf(fault: Fault): string {
  const { issues } = (fault.details ?? {}) as { issues?: readonly Issue[] };
  return issues?.map(refusalOf).join('; ') ?? fault.message;
}

/** Contacts and addresses that a row is about. */
function marksOf(row: ContactRow, { owners }: ImportTargets): string[] {
  const keys = keysOf(row);
  const ids = [row.id, ...keys.map((key) => owners.get(key))];
  return [...keys, ...ids.filter((id) => id !== undefined)];
}

/** The live contact that a row names: by its id, else by its address. */
const targetOf = (row: ContactRow, targets: ImportTargets): Target | undefined =>
  targets.contacts.get(row.id ?? '') ?? knownTo(targets, row);

/** Refuses what the database would refuse with all the rows around it. */
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

/** A contact may have no last name, so that every file that was exported can be imported. */
function complete({ fields }: ContactRow): ContactCreate {
  const { firstName, lastName = '' } = fields;
  if (firstName === undefined) {
    throw refused('firstName: is required');
  }
  return { ...fields, firstName, lastName };
}

const refused = (message: string) => new Fault('VALIDATION_ERROR', message);

/**
 * The address by which a contact was found stays as it is spelled, and in its place. Custom fields
 * that come out the same are left out: each change asks for the definitions anew.
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

/** Rows that may be done together, and those that have to wait until these are done. */
export interface Partition<R> {
  readonly first: readonly R[];
  readonly later: readonly R[];
}

/**
 * Takes out every row that shares a mark with one before it, also with one that was taken out, so
 * that rows about the same thing are done in the order of the file.
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
