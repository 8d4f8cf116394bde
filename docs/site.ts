/** A page of the documentation: a file of `docs/`, under the title that the navigation shows. */
export interface SitePage {
  readonly file: `${string}.md`;
  readonly title: string;
}

interface SiteGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
  /** The API reference, which is rendered from the endpoints, follows the first page. */
  readonly hasReference?: true;
}

/**
 * The documentation in reading order. Navigation, search, `llms.txt` and the links to the next page
 * derive from this list. Every file of `docs/` appears here exactly once.
 */
export const SITE: readonly SiteGroup[] = [
  {
    title: 'Guides',
    pages: [
      { file: 'install.md', title: 'Install on a server' },
      { file: 'first-integration.md', title: 'Your first integration' },
      { file: 'local-development.md', title: 'Develop on your machine' },
      { file: 'receive-webhooks.md', title: 'Receive webhooks' },
      { file: 'book-from-a-bot.md', title: 'Book appointments from a bot' },
      { file: 'console.md', title: 'Console: users and sign-in' },
      { file: 'console-pages.md', title: 'Console: page by page' },
      { file: 'console-contacts.md', title: 'Console: contacts, opportunities and tasks' },
      { file: 'console-settings.md', title: 'Console: settings, webhooks and health' },
      { file: 'agents.md', title: 'Connect an AI agent' },
      { file: 'live-chat.md', title: 'Put live chat on your site' },
      { file: 'send-a-campaign.md', title: 'Send a campaign' },
      { file: 'automate.md', title: 'Automate with workflows' },
      { file: 'backup.md', title: 'Back up and restore' },
      { file: 'upgrade.md', title: 'Upgrade' },
      { file: 'scaling.md', title: 'Scaling' },
      { file: 'on-call.md', title: 'On call' },
      { file: 'troubleshooting.md', title: 'Troubleshooting' },
    ],
  },
  {
    title: 'Reference',
    hasReference: true,
    pages: [
      { file: 'api.md', title: 'API basics' },
      { file: 'errors.md', title: 'Errors' },
      { file: 'webhooks.md', title: 'Webhooks' },
      { file: 'webhook-events.md', title: 'Webhook events' },
      { file: 'sdk.md', title: 'TypeScript client' },
      { file: 'sdk-methods.md', title: 'Client methods' },
      { file: 'openapi.md', title: 'OpenAPI and generators' },
      { file: 'contacts.md', title: 'Contacts' },
      { file: 'conversations.md', title: 'Conversations' },
      { file: 'inbox.md', title: 'Inbox' },
      { file: 'chat.md', title: 'Live chat' },
      { file: 'calendars.md', title: 'Calendars' },
      { file: 'booking.md', title: 'Booking' },
      { file: 'confirmations.md', title: 'Confirmations and reminders' },
      { file: 'external-calendars.md', title: 'External calendars' },
      { file: 'price-list.md', title: 'Price list and quotes' },
      { file: 'forms.md', title: 'Forms and invoices' },
      { file: 'opportunities.md', title: 'Opportunities' },
      { file: 'tasks.md', title: 'Tasks' },
      { file: 'campaigns.md', title: 'Campaigns' },
      { file: 'workflows.md', title: 'Workflows' },
      { file: 'import-export.md', title: 'Import and export' },
      { file: 'manifest.md', title: 'Manifest' },
      { file: 'configuration.md', title: 'Configuration' },
      { file: 'cli.md', title: 'Command line' },
      { file: 'operations.md', title: 'Monitor and operate' },
    ],
  },
  {
    title: 'Concepts',
    pages: [{ file: 'concepts.md', title: 'Concepts and glossary' }],
  },
  {
    title: 'Contributing',
    pages: [
      { file: 'design.md', title: 'Customer pages: design' },
      { file: 'architecture.md', title: 'Architecture' },
      { file: 'decisions.md', title: 'Decisions' },
      { file: 'benchmarks.md', title: 'Benchmarks' },
      { file: 'drills.md', title: 'Drills' },
    ],
  },
];

/** The address of a page below `/docs/`. */
export const slugOf = ({ file }: SitePage): string => file.slice(0, -'.md'.length);
