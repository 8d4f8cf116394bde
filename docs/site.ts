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
      { file: 'running.md', title: 'Install and run' },
      { file: 'webhooks.md', title: 'Receive webhooks' },
      { file: 'booking.md', title: 'Let customers book' },
      { file: 'confirmations.md', title: 'Confirm and remind' },
      { file: 'external-calendars.md', title: 'Connect calendars' },
      { file: 'chat.md', title: 'Live chat' },
      { file: 'forms.md', title: 'Forms and invoices' },
      { file: 'campaigns.md', title: 'Send a campaign' },
      { file: 'workflows.md', title: 'Automate' },
      { file: 'import-export.md', title: 'Import and export' },
      { file: 'operations.md', title: 'Operate and back up' },
      { file: 'scaling.md', title: 'Scale' },
    ],
  },
  {
    title: 'Reference',
    hasReference: true,
    pages: [
      { file: 'api.md', title: 'API basics' },
      { file: 'errors.md', title: 'Errors' },
      { file: 'webhook-events.md', title: 'Webhook events' },
      { file: 'sdk.md', title: 'TypeScript client' },
      { file: 'cli.md', title: 'Command line' },
      { file: 'manifest.md', title: 'Manifest' },
    ],
  },
  {
    title: 'Concepts',
    pages: [
      { file: 'conversations.md', title: 'Conversations' },
      { file: 'calendars.md', title: 'Calendars' },
      { file: 'opportunities.md', title: 'Opportunities' },
      { file: 'tasks.md', title: 'Tasks' },
      { file: 'price-list.md', title: 'Price list and quotes' },
    ],
  },
  {
    title: 'Contributing',
    pages: [
      { file: 'architecture.md', title: 'Architecture' },
      { file: 'decisions.md', title: 'Decisions' },
      { file: 'benchmarks.md', title: 'Benchmarks' },
      { file: 'drills.md', title: 'Drills' },
    ],
  },
];

/** The address of a page below `/docs/`. */
export const slugOf = ({ file }: SitePage): string => file.slice(0, -'.md'.length);
