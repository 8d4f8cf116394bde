import { defineMigration } from '#platform/database/migrate/migration.ts';

/** Those of sub-accounts. */
const TABLES = `
  admin_notices agent_approvals agent_calls api_keys appointment_blocks appointment_notices
  appointment_types appointments audit_entries calendar_feeds calendar_members calendars
  campaign_recipients campaign_turns campaigns channels chat_sessions chat_settings
  contact_bulk_changes contact_emails contact_import_parts contact_imports contact_views contacts
  conversations custom_field_definitions drafts engagement_marks engagement_scores erased_opt_outs
  estimates events external_busy external_holds file_deletions files form_submissions forms
  idempotency_keys invoice_settings list_members lists mail_templates mailboxes
  manifest_references memberships message_receipts messages oauth_grants oauth_refresh_tokens
  opportunities opt_outs outbox paid_invoices pipeline_stages pipelines recurring_campaigns
  saved_replies service_types spent_challenges sub_accounts tallies tasks team_members
  waiting_entries waiting_offers webhook_deliveries webhook_subscriptions workflow_calls
  workflow_effects workflow_log workflow_readers workflow_runs workflow_signals workflow_versions
  workflows
`;

export const soonerStatistics = defineMigration(
  '20261130133000_sooner_statistics',
  // By default, a tenth of a table has to change before it is analysed. A new sub-account has fewer
  // rows of a large table. Without statistics of its own, the planner expects one row of it, and joins
  // all of its rows with all.
  TABLES.trim()
    .split(/\s+/)
    .map(
      (table) => `alter table ${table}
        set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000)`,
    ),
);
