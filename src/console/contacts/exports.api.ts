import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { csvStream } from '#platform/files/csv.ts';
import {
  refuseUnclearSelection,
  selectionFields,
  type ContactSelection,
} from '../../contacts/contact-selection.ts';
import { exportContacts } from '../../contacts/import/export-contacts.ts';

const CSV = 'text/csv; charset=utf-8';

function contactsFile(view: View, selection?: ContactSelection): Reply {
  const stream = csvStream(view.subAccountId, exportContacts(view, selection));
  return { data: null, download: { type: CSV, fileName: 'contacts.csv', stream } };
}

/** Files that people download. */
export const exportEndpoints = [
  defineConsoleEndpoint({
    id: 'exports.contacts',
    method: 'GET',
    path: '/console/api/v1/exports/contacts',
    summary: 'Download all contacts as CSV',
    description: 'The columns are those of `frontdesk admin contact export`.',
    access: memberRole('admin'),
    recentSignIn: true,
    rate: 'read',
    data: Type.Null(),
    documents: ['text/csv'],
    read: async ({ view }) => contactsFile(view),
  }),
  defineConsoleEndpoint({
    id: 'exports.selection',
    method: 'POST',
    path: '/console/api/v1/exports/contacts',
    summary: 'Download selected contacts as CSV',
    description:
      'By their ids, or all that a filter finds. The columns are those of a full export.',
    access: memberRole('admin'),
    recentSignIn: true,
    rate: 'read',
    body: s.request(selectionFields),
    data: Type.Null(),
    documents: ['text/csv'],
    async read({ view, body }) {
      refuseUnclearSelection(body);
      return contactsFile(view, body);
    },
  }),
];
