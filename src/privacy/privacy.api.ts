import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { readContact } from '../contacts/contact.store.ts';
import { queueErasureAgain } from './erase-again.ts';
import { erasePerson } from './erase-person.ts';
import { exportPerson } from './export-person.ts';
import { enterExport } from './limit-exports.ts';
import { findPerson } from './person.ts';
import { queueErasingMentions } from './run-erasing-mentions.ts';

const admin = memberRole('admin');
const ofContact = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readContact(view, id),
};
const count = Type.Integer({ minimum: 0 });

/** Everything about one person: a copy of it, and its erasure. */
export const privacyEndpoints = [
  defineConsoleEndpoint({
    id: 'privacy.export',
    method: 'GET',
    path: '/console/api/v1/contacts/:id/export',
    summary: 'Download everything that is stored about a contact',
    description:
      'A zip archive of JSON files, and of the files of messages and form submissions: the contact, contacts merged into it, and deleted ones with the same email address.',
    access: admin,
    recentSignIn: true,
    rate: 'read',
    ...ofContact,
    data: Type.Null(),
    documents: ['application/zip'],
    async read({ view, tools, params: { id: contactId } }) {
      const leave = enterExport(view.subAccountId);
      try {
        const person = await findPerson(view, { contactId });
        const archive = await exportPerson(view, person, tools.files);
        archive.once('close', leave);
        const stream = webStreamOf(archive);
        const fileName = `contact-${contactId}.zip`;
        return { data: null, download: { type: 'application/zip', fileName, stream } };
      } catch (error) {
        leave();
        throw error;
      }
    },
  }),
  defineConsoleEndpoint({
    id: 'privacy.erase',
    method: 'POST',
    path: '/console/api/v1/contacts/:id/erase',
    summary: 'Erase a person everywhere and delete the contact',
    description:
      'This cannot be undone. Records that others or figures depend on stay, without the data of the person; opt-outs stay as keyed hashes. `tables` counts the rows that were deleted or blanked at once. Jobs erase events and texts that mention the person right afterwards, and fifteen minutes later what requests and jobs that were under way wrote meanwhile.',
    access: admin,
    recentSignIn: true,
    rate: 'write',
    ...ofContact,
    bodyOptional: true,
    data: s.response({
      contactIds: Type.Array(s.uuid()),
      sharedAddresses: Type.Integer({
        minimum: 0,
        description: 'addresses that another contact has, too; its records keep them',
      }),
      tables: Type.Array(
        s.response({
          table: Type.String({ examples: ['messages'] }),
          deleted: count,
          blanked: count,
        }),
      ),
    }),
    async write({ work, tools, params: { id: contactId } }) {
      const person = await findPerson(work, { contactId }, { texts: false });
      queueErasureAgain(work, tools.secrets, person);
      queueErasingMentions(work, tools.secrets, { person });
      const erased = await erasePerson(work, person);
      const tables = erased.map(({ table, deleted, blanked }) => ({ table, deleted, blanked }));
      const { contactIds, shared: sharedAddresses } = person;
      return { data: { contactIds, sharedAddresses, tables } };
    },
  }),
];

/**
 * Returns the same stream, of which nothing is read ahead of its reader. `Readable.toWeb` would throw outside
 * of any call if the stream is cancelled before it is read, as HEAD does.
 */
function webStreamOf(archive: Readable): ReadableStream<Uint8Array> {
  const pieces = archive[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = await pieces.next();
        if (piece.done) {
          controller.close();
        } else {
          controller.enqueue(piece.value);
        }
      },
      cancel: () => void archive.destroy(),
    },
    { highWaterMark: 0 },
  );
}
