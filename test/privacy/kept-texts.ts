/** Texts that stay when a person is erased, because they are words, ids or positions of ours. */
export const KEPT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  audit_entries: [
    'actor',
    'actor_kind',
    'client',
    'key_prefix',
    'operation',
    'record_id',
    'request_id',
  ],
  campaign_recipients: ['error_code'],
  contact_bulk_changes: ['request_id', 'started_by'],
  contacts: ['lifecycle_stage'],
  events: ['name'],
  opportunities: ['currency'],
  outbox: ['name'],
  paid_invoices: ['currency', 'invoice_id'],
  webhook_deliveries: ['error', 'event'],
  workflow_log: ['outcome', 'place', 'step'],
  workflow_runs: ['place', 'trigger', 'waiting_for'],
};
