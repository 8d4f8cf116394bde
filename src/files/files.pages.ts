import { Type } from 'typebox';
import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { SIGNED_TOKEN } from '#lib/signed-token.ts';
import { LINKS_PATH, openFileLink } from './file-links.ts';
import { serveFile } from './open-file.ts';

/** A wrong, an expired and an outdated link must be indistinguishable. */
const noFile = () => notFound('file');

/** Files for visitors and providers, who hold a signed link instead of a key. */
export const filePages = [
  definePageEndpoint({
    id: 'files.link',
    method: 'GET',
    path: `${LINKS_PATH}:token`,
    summary: 'A file, by a signed link that expires',
    limit: 'public_read',
    params: s.request({ token: Type.String({ pattern: `^${SIGNED_TOKEN}$` }) }),
    query: s.request({ expires: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 40 })) }),
    documents: ['*/*'],
    async owner({ params: { token }, query: { expires = 0 }, view, tools }) {
      const subject = openFileLink(tools.secrets, token, expires, view.now);
      if (!subject) {
        throw noFile();
      }
      return subject.subAccountId;
    },
    async read({ view, params: { token }, query: { expires = 0 }, tools }) {
      const subject = openFileLink(tools.secrets, token, expires, view.now);
      if (!subject) {
        throw noFile();
      }
      return serveFile(view, tools.files, subject.id);
    },
  }),
];
