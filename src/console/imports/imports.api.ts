import { Type } from 'typebox';
import { defineConsoleEndpoint } from '#core/endpoint/console-endpoint.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { joining } from '../../campaigns/lists/add-to-list.ts';
import type { ImportResult } from '../../contacts/import/import-contacts.ts';
import { importers } from './imports.jobs.ts';
import { uploadImport } from './upload-import.ts';

const CSV = 'text/csv';
const FILE_MAX_BYTES = 50 * 1024 * 1024;
const COLUMNS_MAX = 4_000;
const KEY_MAX = 64;

const counts = {
  created: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer({ description: 'rows that change nothing' }),
  failed: Type.Integer(),
  errors: Type.Array(s.response({ line: Type.Integer(), message: Type.String() }), {
    description: 'by line; at most the first 10,000',
  }),
};

const contactImport = s.response({
  id: s.uuid(),
  status: s.oneOf(['running', 'done', 'failed']),
  processed: Type.Integer({ description: 'rows' }),
  total: Type.Integer({ description: 'rows; 0 until the file is checked' }),
  dryRun: Type.Boolean(),
  list: s.nullable(Type.String({ examples: ['clients'] })),
  error: s.nullable(Type.String({ description: 'why it failed' })),
  createdAt: s.isoTime(),
  ...Object.fromEntries(
    Object.entries(counts).map(([name, schema]) => [name, Type.Optional(schema)]),
  ),
});

interface ImportRow {
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed';
  readonly processed: number;
  readonly total: number;
  readonly dryRun: boolean;
  readonly list: string | null;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly result: ImportResult | null;
}

async function readImport(view: View, id: string) {
  const [row] = await view.rows<ImportRow>(READ, [view.subAccountId, id]);
  if (!row) {
    throw notFound('import');
  }
  const { result, createdAt, ...shown } = row;
  return { ...shown, createdAt: createdAt.toISOString(), ...result };
}

const READ = `select id, status, processed, total, dry_run as "dryRun", list, error,
    created_at as "createdAt", result
  from contact_imports where sub_account_id = $1 and id = $2 and status <> 'uploading'`;

/** Imports of contacts from a file. */
export const importEndpoints = [
  defineConsoleEndpoint({
    id: 'imports.create',
    method: 'POST',
    path: '/console/api/v1/imports',
    summary: 'Import contacts from a CSV file',
    description:
      'The body is the file, as `text/csv`, of at most 50 MiB. The columns are those of `frontdesk admin contact import`. A worker imports the file; safe to run again.',
    access: importers,
    rate: 'write',
    status: 202,
    faults: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    upload: { type: CSV, limitBytes: FILE_MAX_BYTES },
    query: s.request({
      list: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: KEY_MAX,
          description: 'key of a static list to add the contacts to',
        }),
      ),
      dryRun: Type.Optional(
        Type.Boolean({ description: 'reports the result without writing anything' }),
      ),
      columns: Type.Optional(
        Type.String({
          maxLength: COLUMNS_MAX,
          description:
            "the contact's field of each column, separated by commas, instead of the names in the first line; empty to leave a column out",
          examples: ['firstName,lastName,,email'],
        }),
      ),
    }),
    data: contactImport,
    async receive({ view, change, parts, query: { list, dryRun = false, columns } }) {
      if (list !== undefined) {
        await joining(view, list);
      }
      const named = columns?.split(',');
      const id = await uploadImport(view, change, { parts, list, dryRun, columns: named });
      return { data: (after: View) => readImport(after, id) as never };
    },
  }),
  defineConsoleEndpoint({
    id: 'imports.get',
    method: 'GET',
    path: '/console/api/v1/imports/:id',
    summary: 'Get the progress and the result of an import',
    description: 'Kept for 30 days.',
    access: importers,
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => readImport(view, id),
    data: contactImport,
    read: async ({ view, params: { id } }) => ({ data: await readImport(view, id) }),
  }),
];
