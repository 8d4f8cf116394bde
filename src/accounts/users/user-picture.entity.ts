import { defineEntity, p } from '@mikro-orm/core';

const UserPictureTable = defineEntity({
  name: 'UserPicture',
  tableName: 'user_pictures',
  uniques: [{ properties: ['id'] }],
  properties: {
    userId: p.uuid().primary(),
    /** The address of the content. A new picture has a new one. */
    id: p.uuid(),
    type: p.text(),
    content: p.blob(),
    createdAt: p.datetime(),
  },
});

/** The picture of a user, which colleagues and visitors of the chat see. */
export class UserPicture extends UserPictureTable.class {
  static readonly foreignKeys = ['(user_id) references users (id) on delete cascade'];
}
UserPictureTable.setClass(UserPicture);
