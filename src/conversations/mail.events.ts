import { Type } from 'typebox';
import { internalEvent } from '#core/event.ts';

const text = Type.Union([Type.String(), Type.Null()]);

/** For slices that send mails outside conversations, under ids of their own. */
export const mailBounced = internalEvent({
  name: 'mail.bounced',
  summary: 'a mail outside conversations bounced',
  data: Type.Object({
    mailId: Type.String(),
    /** The address does not exist. */
    isHard: Type.Boolean(),
    errorCode: text,
    errorMessage: text,
  }),
});
