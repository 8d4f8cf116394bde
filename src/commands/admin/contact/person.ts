import { pipeline } from 'node:stream/promises';
import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { streamToFile } from '#platform/files/atomic-write.ts';
import type { View } from '#core/work.ts';
import { counted } from '#lib/counted.ts';
import { queueErasureAgain } from '../../../privacy/erase-again.ts';
import { addRows, eraseMentions } from '../../../privacy/erase-mentions.ts';
import { erasePerson } from '../../../privacy/erase-person.ts';
import type { ErasedRows } from '../../../privacy/erase-rows.ts';
import { exportPerson } from '../../../privacy/export-person.ts';
import { findPerson, requireKnown, type Person } from '../../../privacy/person.ts';
import type { AdminContext } from '../../open-admin.ts';
import { readEmail, subAccountOption, viewOf } from '../answers.ts';

const email = {
  flag: '--email <address>',
  help: 'find the person by this email address instead of an ID',
  parse: readEmail,
} as const;

const exportCommand = defineCommand<AdminContext>()({
  path: 'admin contact export-person',
  summary: 'Write everything that is stored about one person to a zip archive',
  arguments: ['file.zip'],
  options: {
    subAccount: subAccountOption,
    contact: { flag: '--contact <id>', help: 'ID of the contact' },
    email,
  },
  examples: [
    'frontdesk admin contact export-person ada.zip --sub-account 0198c0de-… --email ada@example.com',
    'frontdesk admin contact export-person ada.zip --sub-account 0198c0de-… --contact 0198c0de-…',
  ],
  context: 'service',
  async run(context, { 'file.zip': file, subAccount: sub, contact: id, email: address }) {
    const view = await viewOf(context, sub);
    const person = await personOf(view, { id, email: address });
    const archive = await exportPerson(view, person, context.tools.files);
    await streamToFile(file, (target) => pipeline(archive, target));
    const { contactIds, records } = person;
    const text = `wrote ${records.length} record(s) to ${file}`;
    return { json: { file, contactIds, records: records.length }, text };
  },
});

const erase = defineCommand<AdminContext>()({
  path: 'admin contact erase',
  summary: 'Erase a person from every table and delete the contact; this cannot be undone',
  arguments: ['id'],
  optional: ['id'],
  options: { subAccount: subAccountOption, email },
  examples: [
    'frontdesk admin contact erase 0198c0de-… --sub-account 0198c0de-…',
    'frontdesk admin contact erase --email ada@example.com --sub-account 0198c0de-… --yes',
  ],
  confirm: ({ id, email: address }) => `Erase ${address ?? id}?`,
  async question(context, { subAccount: sub, ...key }) {
    const { names } = await personOf(await viewOf(context, sub), key);
    const name = names[0] || key.email || key.id;
    return { text: `To erase all data of ${name}, type it again:`, typed: name };
  },
  context: 'service',
  async run(context, { subAccount: sub, ...key }) {
    const view = await viewOf(context, sub);
    const person = await personOf(view, key);
    const tables = await eraseUntilNothingIsLeft(context, view, person);
    const { contactIds, shared: sharedAddresses } = person;
    return { json: { contactIds, sharedAddresses, tables }, text: reportOf(person, tables) };
  },
});

export const personCommands = [exportCommand, erase];

interface PersonInput {
  readonly id?: string | undefined;
  readonly email?: string | undefined;
}

async function personOf(view: View, { id, email: address }: PersonInput): Promise<Person> {
  if ((id === undefined) === (address === undefined)) {
    throw new UsageFault('name the person by the ID of a contact or by --email, not by both');
  }
  if (id !== undefined) {
    return findPerson(view, { contactId: id.toLowerCase() });
  }
  const person = await findPerson(view, { email: address ?? '' });
  requireKnown(person, address ?? '');
  return person;
}

/** Jobs that ran meanwhile may have written something about the person after the first pass. */
const PASSES_MAX = 3;

async function eraseUntilNothingIsLeft(
  context: AdminContext,
  view: View,
  person: Person,
): Promise<ErasedRows[]> {
  const { transact, actor, secrets } = context;
  const sums = new Map<string, ErasedRows>();
  let current = person;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const found = await transact(view.subAccountId, actor, (work) => {
      queueErasureAgain(work, secrets, person);
      return erasePerson(work, current);
    });
    current = { ...person, liveIds: [] };
    const mentions = await eraseMentions({ view, transact, actor }, { person: current });
    [...found, ...mentions].forEach((rows) => addRows(sums, rows));
    if (found.length + mentions.length === 0) {
      break;
    }
  }
  return [...sums.values()];
}

function reportOf({ contactIds, shared }: Person, tables: readonly ErasedRows[]): string {
  const width = Math.max(...tables.map(({ table }) => table.length), 0);
  const lines = tables.map(({ table, deleted, blanked, replaced }) => {
    const counts = Object.entries({ deleted, blanked, replaced }).filter(([, rows]) => rows > 0);
    const text = counts.map(([what, rows]) => `${rows} ${what}`).join(', ');
    return `  ${table.padEnd(width)}  ${text}`;
  });
  const people = counted(contactIds.length, 'contact');
  return [
    lines.length > 0
      ? `erased ${people}; rows by table:`
      : `${people} erased before; nothing was left`,
    ...lines,
    ...(shared > 0
      ? [`${shared} address(es) belong to another contact, too: its records keep them.`]
      : []),
    ...(tables.some(({ table }) => table === 'opt_outs')
      ? ['Opt-outs stay in force: a keyed hash replaces the address.']
      : []),
    'Frontdesk looks again after 15 minutes. Backups from before contain the person until they are deleted.',
    'Mailboxes, providers and receivers of webhooks keep their own copies.',
  ].join('\n');
}
