import { Type } from 'typebox';
import * as s from '#core/schema/schema.ts';
import { LEFT_OUT_REASONS } from '../../campaigns/audience/preview-audience.ts';

const count = Type.Integer({ minimum: 0 });

/** How many contacts of a list get no mail, by reason. */
export const leftOutCounts = s.response({
  no_email: count,
  do_not_disturb: count,
  opted_out: count,
});

/** Contacts of a list that get no mail, with the reason. */
export const leftOutContacts = Type.Array(
  s.response({
    contactId: s.uuid(),
    name: Type.String({ examples: ['Ada Lovelace'] }),
    email: s.nullable(Type.String({ examples: ['ada@example.com'] })),
    reason: s.oneOf(LEFT_OUT_REASONS),
    detail: s.nullable(
      Type.String({ description: 'why the address is opted out', examples: ['unsubscribe'] }),
    ),
  }),
);
