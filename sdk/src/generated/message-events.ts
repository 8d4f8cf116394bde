// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Channel } from './shared.ts';

export interface MessageEvents {
  /** Fires when: an inbound message arrived, on any channel. */
  'message.received': {
    messageId: string;
    conversationId: string;
    channel: Channel;
    bodyText: string | null;
    /** phone number or email address */
    fromAddress: string | null;
    direction: 'inbound';
    attachments: {
      id: string;
      name: string;
      /** the content type */
      type: string;
      /** bytes; null if it is not known */
      size: number | null;
      /**
       * the path of the content on this server; null while it is being fetched, and if the file was
       * refused
       */
      url: string | null;
      /** why there is no content, for people */
      refused: string | null;
    }[];
    /**
     * live_chat: false if the visitor is identified only by what they typed; null on other
     * channels
     */
    visitorVerified: boolean | null;
  };
  /** Fires when: the provider confirmed that it accepted an outbound message. */
  'message.sent': {
    messageId: string;
    conversationId: string;
    channel: Channel;
    status: 'sent';
    /** the provider's own id */
    externalId: string | null;
  };
  /** Fires when: the provider confirmed that an outbound message arrived. */
  'message.delivered': {
    messageId: string;
    conversationId: string;
    channel: Channel;
    status: 'delivered' | 'read';
    /** the provider's own id */
    externalId: string | null;
  };
  /** Fires when: an outbound message failed or bounced. */
  'message.failed': {
    messageId: string;
    conversationId: string;
    channel: Channel;
    status: 'failed' | 'bounced';
    /** the provider's own id */
    externalId: string | null;
  };
}
