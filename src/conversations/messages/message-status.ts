export const MESSAGE_STATUSES = [
  'pending',
  'sent',
  'delivered',
  'read',
  'failed',
  'bounced',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** Where each status may lead: upwards only, and nowhere from what has failed (contract 5). */
const NEXT: Readonly<Record<MessageStatus, readonly MessageStatus[]>> = {
  pending: ['sent', 'delivered', 'read', 'failed'],
  sent: ['delivered', 'read', 'failed', 'bounced'],
  delivered: ['read', 'bounced'],
  read: [],
  failed: [],
  bounced: [],
};

export const canBecome = (from: MessageStatus, to: MessageStatus): boolean =>
  NEXT[from].includes(to);
