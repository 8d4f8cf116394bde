import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import { notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import { findPicture, PICTURES_PATH } from './pictures.ts';

/** The content of an id never changes, and is nothing but an image: nothing inside it may run. */
const HEADERS = {
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=86400, immutable',
};

/** Pictures of the people who answer chats, for the widget on any site. */
export const picturePages = [
  definePageEndpoint({
    id: 'pictures.get',
    method: 'GET',
    path: `${PICTURES_PATH}:id`,
    summary: "A user's picture",
    limit: 'public_read',
    params: s.request({ id: s.uuid() }),
    documents: ['image/png', 'image/jpeg', 'image/webp'],
    async read({ view, params: { id } }) {
      const picture = await findPicture(view, id);
      if (!picture) {
        throw notFound('picture');
      }
      const { type, content } = picture;
      return { data: null, document: { type, body: content, headers: HEADERS } };
    },
  }),
];
