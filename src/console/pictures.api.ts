import { Type } from 'typebox';
import { defineConsoleEndpoint, memberScope } from '#core/endpoint/console-endpoint.ts';
import * as s from '#core/schema/schema.ts';
import {
  deletePicture,
  findMemberPictures,
  PICTURE_MAX_BYTES,
  setPicture,
} from '../accounts/users/pictures.ts';

/** Longer than the largest picture in base64: a picture that is too large is refused by its size. */
const CONTENT_MAX = PICTURE_MAX_BYTES * 4;

/** A PNG of one pixel. */
const ONE_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

const url = Type.String({ description: 'the path of the content on this server' });

/** The picture of the user, and those of the team. */
export const pictureEndpoints = [
  defineConsoleEndpoint({
    id: 'picture.set',
    method: 'PUT',
    path: '/console/api/picture',
    summary: 'Set your picture',
    description:
      'Colleagues and visitors of the chat see it. Accepted are PNG, JPEG and WebP up to 64 KiB; the bytes decide on the type. The picture is stored as it is sent.',
    access: { kind: 'session' },
    rate: 'write',
    faults: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
    body: s.request({
      content: Type.String({
        minLength: 1,
        maxLength: CONTENT_MAX,
        contentEncoding: 'base64',
        description: 'the image in base64',
        examples: [ONE_PIXEL],
      }),
    }),
    data: s.response({ url }),
    async write({ work, body, caller: { user } }) {
      const bytes = Buffer.from(body.content, 'base64');
      return { data: { url: await setPicture(work, user.id, bytes) } };
    },
  }),
  defineConsoleEndpoint({
    id: 'picture.delete',
    method: 'DELETE',
    path: '/console/api/picture',
    summary: 'Delete your picture',
    access: { kind: 'session' },
    rate: 'write',
    data: s.response({ deleted: Type.Boolean() }),
    async write({ work, caller: { user } }) {
      await deletePicture(work, user.id);
      return { data: { deleted: true } };
    },
  }),
  defineConsoleEndpoint({
    id: 'pictures.list',
    method: 'GET',
    path: '/console/api/v1/pictures',
    summary: 'List the pictures of the members',
    description: 'Members without a picture are left out.',
    access: memberScope('conversations:read'),
    rate: 'read',
    data: Type.Array(s.response({ userId: s.uuid(), url })),
    read: async ({ view }) => ({ data: await findMemberPictures(view) }),
  }),
];
