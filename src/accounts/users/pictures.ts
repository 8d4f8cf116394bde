import { Fault, invalidField } from '#core/fault.ts';
import type { View, Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { UserPicture } from './user-picture.entity.ts';

/** The console sends 192 × 192 pixels, which are about 10 kB. */
export const PICTURE_MAX_BYTES = 65_536;

/** The types of pictures: images that cannot contain scripts. */
const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

/** Where the path of a picture begins. */
export const PICTURES_PATH = '/pictures/';

/** Returns the path of a picture. Everybody may load it: visitors of the chat see it. */
export const pictureUrl = (id: string | null): string | null =>
  id === null ? null : `${PICTURES_PATH}${id}`;

/**
 * Replaces the picture of a user and returns its path. The bytes decide on the type. Throws
 * PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE or VALIDATION_ERROR.
 */
export async function setPicture(work: Work, userId: string, bytes: Buffer): Promise<string> {
  const { em, now } = work;
  const content = { id: newId(now), type: await typeOf(bytes), content: bytes, createdAt: now };
  const stored = await em.findOne(UserPicture, { userId });
  if (stored) {
    em.assign(stored, content);
  } else {
    em.persist(em.create(UserPicture, { userId, ...content }));
  }
  work.audit(userId);
  return `${PICTURES_PATH}${content.id}`;
}

async function typeOf(bytes: Buffer): Promise<string> {
  if (bytes.length === 0) {
    throw invalidField('/content', 'must not be empty');
  }
  if (bytes.length > PICTURE_MAX_BYTES) {
    throw new Fault('PAYLOAD_TOO_LARGE', 'the picture is larger than 64 KiB');
  }
  // On demand: it takes 20 ms, and most processes never need it.
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime ?? '';
  if (!PICTURE_TYPES.includes(type)) {
    const message = `the content is not a picture; send ${PICTURE_TYPES.join(', ')}`;
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', message, { reason: 'file_type' });
  }
  return type;
}

/** Deletes the picture of a user, if there is one. */
export async function deletePicture(work: Work, userId: string): Promise<void> {
  await work.em.nativeDelete(UserPicture, { userId });
  work.audit(userId);
}

/** Returns the path of a user's picture; null if there is none. */
export async function findPictureUrl(view: View, userId: string): Promise<string | null> {
  const [row] = await view.rows<{ readonly id: string }>(OF_USER, [userId]);
  return pictureUrl(row?.id ?? null);
}

const OF_USER = 'select id from user_pictures where user_id = $1';

interface MemberPicture {
  readonly userId: string;
  readonly url: string;
}

/** Returns the pictures of everybody with access to the view's sub-account. */
export const findMemberPictures = ({ rows, subAccountId }: View): Promise<MemberPicture[]> =>
  rows<MemberPicture>(OF_MEMBERS, [subAccountId, PICTURES_PATH]);

const OF_MEMBERS = `select p.user_id as "userId", $2::text || p.id as url
  from user_pictures p
  join users u on u.id = p.user_id
  where u.is_owner or exists (
    select from memberships m where m.user_id = u.id and m.sub_account_id = $1)
  order by p.user_id`;

interface PictureContent {
  readonly type: string;
  readonly content: Buffer;
}

/** Returns the content of a picture; undefined if it was replaced or deleted. */
export async function findPicture(view: View, id: string): Promise<PictureContent | undefined> {
  const [row] = await view.rows<PictureContent>(CONTENT, [id]);
  return row;
}

const CONTENT = 'select type, content from user_pictures where id = $1';
