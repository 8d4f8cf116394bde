import { Type } from 'typebox';
import { defineConsoleEndpoint, memberRole } from '#core/endpoint/console-endpoint.ts';
import { csvStream } from '#platform/files/csv.ts';
import { exportContacts } from '../contacts/import/export-contacts.ts';

const CSV = 'text/csv; charset=utf-8';

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
    async read({ view }) {
      const stream = csvStream(exportContacts(view));
      return { data: null, download: { type: CSV, fileName: 'contacts.csv', stream } };
    },
  }),
];
