import { internalEvent } from '#core/event.ts';
import { Type } from '#core/schema/type.ts';

const text = Type.Union([Type.String(), Type.Null()]);

/** Others send mails too, under ids of their own. */
export const mailBounced = internalEvent({
  name: 'mail.bounced',
  summary: 'a mail that is no message of a conversation came back',
  data: Type.Object({
    mailId: Type.String(),
    /** The address is to blame, for good. */
    isHard: Type.Boolean(),
    errorCode: text,
    errorMessage: text,
  }),
});
