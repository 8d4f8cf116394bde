import type { CommandGroup } from '#core/command.ts';

/** The help of the program and of its groups of commands. */
export const groups: readonly CommandGroup[] = [
  {
    path: '',
    summary: 'A self-hosted CRM behind one REST API, on one PostgreSQL',
    examples: ['frontdesk up', 'frontdesk admin sub-account list', 'frontdesk doctor'],
  },
  {
    path: 'admin',
    summary: 'Manage sub-accounts, API keys and their data',
    examples: [
      'frontdesk admin sub-account create --name "Harbour Dental"',
      'frontdesk admin key create --sub-account 0198c0de-… --name Website --scopes all',
      'frontdesk admin apply -f harbour.yaml --sub-account 0198c0de-…',
    ],
  },
  {
    path: 'admin sub-account',
    summary: 'Create, change, move and delete sub-accounts',
    examples: [
      'frontdesk admin sub-account create --name "Harbour Dental" --timezone Europe/Berlin',
      'frontdesk admin sub-account list',
    ],
  },
  {
    path: 'admin key',
    summary: 'Create, rotate and revoke API keys',
    examples: [
      'frontdesk admin key create --sub-account 0198c0de-… --name Website --scopes all',
      'frontdesk admin key list',
    ],
  },
  {
    path: 'admin approval',
    summary: 'Decide about calls of agents that need a person',
    examples: [
      'frontdesk admin approval list',
      'frontdesk admin approval show 0198c0de-…',
      'frontdesk admin approval approve 0198c0de-…',
    ],
  },
  {
    path: 'admin user',
    summary: 'Manage the people who use the console',
    examples: [
      'frontdesk admin user invite --email ada@example.com --role owner',
      'frontdesk admin user list',
    ],
  },
  {
    path: 'admin audit',
    summary: 'Search the audit log',
    examples: ['frontdesk admin audit list --sub-account 0198c0de-…'],
  },
  {
    path: 'admin calendar',
    summary: 'Inspect calendars, their slots and their feeds',
    examples: [
      'frontdesk admin calendar explain --sub-account 0198c0de-… --type checkup-30 --at 2026-12-01T09:00:00+01:00',
      'frontdesk admin calendar external --sub-account 0198c0de-…',
    ],
  },
  {
    path: 'admin appointment',
    summary: 'List and book appointments, and set their status',
    examples: [
      'frontdesk admin appointment list --sub-account 0198c0de-…',
      'frontdesk admin appointment set-status 0198c0de-… confirmed',
    ],
  },
  {
    path: 'admin contact',
    summary: 'Find, import and export contacts',
    examples: [
      'frontdesk admin contact list --sub-account 0198c0de-… --search weber',
      'frontdesk admin contact import contacts.csv --sub-account 0198c0de-… --dry-run',
    ],
  },
  {
    path: 'admin conversation',
    summary: 'Show conversations',
    examples: ['frontdesk admin conversation show 0198c0de-…'],
  },
  {
    path: 'admin message',
    summary: 'List messages, and send failed ones again',
    examples: [
      'frontdesk admin message list --sub-account 0198c0de-… --conversation 0198c0de-…',
      'frontdesk admin message resend 0198c0de-…',
    ],
  },
  {
    path: 'admin template',
    summary: 'List mail templates',
    examples: ['frontdesk admin template list --sub-account 0198c0de-…'],
  },
  {
    path: 'admin suppression',
    summary: 'Manage the addresses that receive no mail',
    examples: ['frontdesk admin suppression list --sub-account 0198c0de-…'],
  },
  {
    path: 'admin list',
    summary: 'Manage static contact lists',
    examples: ['frontdesk admin list add clients --sub-account 0198c0de-… --email jo@example.com'],
  },
  {
    path: 'admin campaign',
    summary: 'Create, preview, pause and inspect campaigns',
    examples: ['frontdesk admin campaign list', 'frontdesk admin campaign show 0198c0de-… --watch'],
  },
  {
    path: 'admin campaign recurring',
    summary: 'Inspect recurring campaigns, which the manifest defines',
    examples: ['frontdesk admin campaign recurring list --sub-account 0198c0de-…'],
  },
  {
    path: 'admin opportunity',
    summary: 'Set the status of opportunities',
    examples: ['frontdesk admin opportunity set-status 0198c0de-… won'],
  },
  {
    path: 'admin form',
    summary: 'Read form submissions',
    examples: ['frontdesk admin form submissions --sub-account 0198c0de-…'],
  },
  {
    path: 'admin invoice',
    summary: 'Record paid invoices',
    examples: [
      'frontdesk admin invoice record --sub-account 0198c0de-… --invoice-id INV-42 --amount 89.50 --currency EUR',
    ],
  },
  {
    path: 'admin outbox',
    summary: 'Read what sandbox sub-accounts captured instead of sending',
    examples: ['frontdesk admin outbox list --sub-account 0198c0de-…'],
  },
  {
    path: 'admin webhook',
    summary: 'List, test and enable webhook subscriptions',
    examples: ['frontdesk admin webhook list', 'frontdesk admin webhook test 0198c0de-…'],
  },
  {
    path: 'admin delivery',
    summary: 'Inspect, retry and replay webhook deliveries',
    examples: ['frontdesk admin delivery list --failed', 'frontdesk admin delivery list --follow'],
  },
  {
    path: 'admin secret',
    summary: 'Replace signing secrets',
    examples: ['frontdesk admin secret regenerate webhook 0198c0de-… --grace 24h'],
  },
  {
    path: 'admin secret regenerate',
    summary: 'Replace the signing secret of a webhook or a workflow',
    examples: [
      'frontdesk admin secret regenerate webhook 0198c0de-… --grace 24h',
      'frontdesk admin secret regenerate workflow new-lead --sub-account 0198c0de-…',
    ],
  },
  {
    path: 'admin queue',
    summary: 'Inspect the job queue',
    examples: ['frontdesk admin queue status'],
  },
  {
    path: 'admin node',
    summary: 'Inspect the nodes of a Citus cluster',
    examples: ['frontdesk admin node list'],
  },
  {
    path: 'admin workflow',
    summary: 'Inspect, test and cancel workflow runs',
    examples: [
      'frontdesk admin workflow list --sub-account 0198c0de-…',
      'frontdesk admin workflow test new-lead --contact 0198c0de-… --dry-run',
    ],
  },
  {
    path: 'webhook',
    summary: 'Receive webhooks on this machine',
    examples: ['frontdesk webhook listen --forward-to http://localhost:3000/hook'],
  },
];
