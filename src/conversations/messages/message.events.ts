import { Type } from 'typebox';
import { webhookEvent } from '#core/event.ts';
import * as s from '#core/schema/schema.ts';
import { fileSchema } from '../../files/file.schema.ts';
import { CHANNELS } from '../../contacts/channels.ts';

const message = {
  messageId: s.uuid(),
  conversationId: s.uuid(),
  channel: s.oneOf(CHANNELS),
};

const externalId = s.nullable(
  Type.String({ description: "the provider's own id", examples: ['SM1f0e8ae6ade43cb3'] }),
);

export const messageReceived = webhookEvent({
  name: 'message.received',
  summary: 'an inbound message arrived, on any channel',
  data: Type.Object({
    ...message,
    bodyText: s.nullable(Type.String({ examples: ['Grüße! Is Tuesday still free?'] })),
    fromAddress: s.nullable(
      Type.String({ description: 'phone number or email address', examples: ['+4930123456'] }),
    ),
    direction: s.oneOf(['inbound']),
    attachments: Type.Array(fileSchema),
    visitorVerified: s.nullable(
      Type.Boolean({
        description:
          'live_chat: false if the visitor is identified only by what they typed; null on other channels',
        examples: [null],
      }),
    ),
  }),
});

export const messageSent = webhookEvent({
  name: 'message.sent',
  summary: 'the provider confirmed that it accepted an outbound message',
  data: Type.Object({ ...message, status: s.oneOf(['sent']), externalId }),
});

/** A read receipt may be the first receipt: it also confirms the delivery. */
export const messageDelivered = webhookEvent({
  name: 'message.delivered',
  summary: 'the provider confirmed that an outbound message arrived',
  data: Type.Object({ ...message, status: s.oneOf(['delivered', 'read']), externalId }),
});

export const messageFailed = webhookEvent({
  name: 'message.failed',
  summary: 'an outbound message failed or bounced',
  data: Type.Object({ ...message, status: s.oneOf(['failed', 'bounced']), externalId }),
});
