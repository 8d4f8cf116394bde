import { Type } from 'typebox';
import { internalEvent } from '#core/event.ts';

const text = Type.Union([Type.String(), Type.Null()]);

/** Other slices send mails with ids of their own. */
export const mailBounced = internalEvent({
  name: 'mail.bounced',
  summary: 'a mail that is no message of a conversation came back',
  data: Type.Object({
    mailId: Type.String(),
    /** The address does not exist. */
    isHard: Type.Boolean(),
    errorCode: text,
    errorMessage: text,
  }),
});
