import { Type } from 'typebox';
import { fileBody } from '#core/endpoint/file-body.ts';
import { defineKeyedEndpoint, scope } from '#core/endpoint/keyed-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import { fileName, fileSchema, uploadedFile } from './file.schema.ts';
import { ACCEPTED } from './file-type.ts';
import { readFileRow, serveFile } from './open-file.ts';
import { insertFile } from './store-file.ts';
import { storeUpload, uploadOf } from './upload-file.ts';

/** Files that the team sends and receives. */
export const fileEndpoints = [
  defineKeyedEndpoint({
    id: 'files.create',
    method: 'POST',
    path: '/api/v1/files',
    summary: 'Upload a file, to send it with a message',
    description: `The body is the content itself, not a form. Accepted are ${ACCEPTED}, up to FRONTDESK_FILES_MAX_MB. The bytes decide on the type. Send the file with \`attachmentIds\` of a message within 24 hours; otherwise it is deleted. Fires no event.`,
    access: scope('conversations:write'),
    rate: 'write',
    query: s.request({ name: fileName }),
    body: fileBody,
    data: fileSchema,
    status: 201,
    faults: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
    prepare: ({ body, query, tools, view, change }) =>
      storeUpload(
        { files: tools.files, subAccountId: view.subAccountId, change },
        body,
        query.name,
      ),
    async write({ work, body }) {
      const file = uploadOf(body);
      await insertFile(work, file);
      work.audit(file.id);
      return { data: uploadedFile(file) };
    },
  }),

  defineKeyedEndpoint({
    id: 'files.get',
    method: 'GET',
    path: '/api/v1/files/:id',
    summary: 'Download a file',
    description:
      'Returns the content itself. Only PNG, JPEG, GIF and WebP images are shown by browsers; everything else is saved.',
    access: scope('conversations:read'),
    rate: 'read',
    params: s.request({ id: s.uuid() }),
    assertExists: (view, { id }) => readFileRow(view, id),
    data: Type.Null(),
    documents: ['*/*'],
    read: ({ view, tools, params: { id } }) => serveFile(view, tools.files, id),
  }),
];
