// Written by `node sdk/generate.ts` from the declarations in src/.

export type Channel =
  | 'sms'
  | 'email'
  | 'messenger'
  | 'instagram'
  | 'gmail'
  | 'live_chat'
  | 'social_dm';

export type AppointmentStatus = 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';

export type OpportunityStatus = 'open' | 'won' | 'lost' | 'abandoned';

export type TaskStatus = 'todo' | 'in_review' | 'completed' | 'cancelled';

export type TaskPriority = 'low' | 'medium' | 'high' | 'urgent';

export interface PageMeta {
  total: number;
  hasMore: boolean;
  cursor: string | null;
}

export interface CursorMeta {
  hasMore: boolean;
  cursor: string | null;
}

export interface Deleted {
  id: string;
  deleted: boolean;
}

export interface Slot {
  start: string;
  end: string;
  /** epoch ms */
  startTime: number;
  /** epoch ms */
  endTime: number;
  date: string;
  label: string;
  timezone: string;
  available: boolean;
  seatsRemaining?: number;
}

export interface ReceivedMessage {
  /** the first message of the call; null if it is not known */
  messageId: string | null;
}

export interface RecordedInvoice {
  invoiceId: string;
  /** false if the invoice was recorded before */
  recorded: boolean;
}

export interface WorkflowSignalResult {
  ok: true;
  /** how many runs started or continued */
  triggered: number;
  /**
   * present if `triggered` is 0 because the contact has an unfinished run, or because the call
   * is a repeat. Absent if no `where` of a trigger fits the call, or no run waits for the event
   */
  skipped?: 'already_running' | 'repeated';
}
