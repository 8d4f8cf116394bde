import { behindSession, type ConsoleEndpoint } from '#core/endpoint/console-endpoint.ts';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { approvalEndpoints } from '../agents/approvals/approvals.api.ts';
import { agencyKeyEndpoints } from '../console/keys/agency-keys.api.ts';
import { agencyEndpoints } from '../console/agency.api.ts';
import { auditEndpoints } from '../console/audit.api.ts';
import { channelEndpoints } from '../console/channels.api.ts';
import { calendarPageEndpoints } from '../console/calendar.api.ts';
import { contactPageEndpoints } from '../console/contacts/contacts.api.ts';
import { campaignEndpoints } from '../console/campaigns/campaigns.api.ts';
import { changeCampaignEndpoints } from '../console/campaigns/change-campaign.api.ts';
import { recipientEndpoints } from '../console/campaigns/recipients.api.ts';
import { composeEndpoints } from '../console/campaigns/compose.api.ts';
import { deliveryEndpoints } from '../console/deliveries.api.ts';
import { eventEndpoints } from '../console/events/events.api.ts';
import { exportEndpoints } from '../console/contacts/exports.api.ts';
import { grantEndpoints } from '../console/grants.api.ts';
import { importEndpoints } from '../console/imports/imports.api.ts';
import { healthEndpoints } from '../console/health.api.ts';
import { keyEndpoints } from '../console/keys/keys.api.ts';
import { manifestEndpoints } from '../console/manifest.api.ts';
import { changeEndpoints } from '../console/changes/changes.api.ts';
import { dealEndpoints } from '../console/opportunities.api.ts';
import { passkeyEndpoints } from '../console/sign-in/passkeys.api.ts';
import { pictureEndpoints } from '../console/pictures.api.ts';
import { sessionEndpoints } from '../console/sign-in/session.api.ts';
import { subscriptionEndpoints } from '../console/subscriptions.api.ts';
import { signInEndpoints } from '../console/sign-in/sign-in.api.ts';
import { taskPageEndpoints } from '../console/tasks.api.ts';
import { timelineEndpoints } from '../console/contacts/timeline.api.ts';
import { userEndpoints } from '../console/users.api.ts';
import { whyEndpoints } from '../console/why/why.api.ts';
import { workflowEndpoints } from '../console/workflows.api.ts';
import { inboxEndpoints } from '../conversations/inbox/inbox.api.ts';
import { presenceEndpoints } from '../conversations/presence/presence.api.ts';
import { privacyEndpoints } from '../privacy/privacy.api.ts';
import { endpoints } from './endpoints.ts';
import { webhookEventNames } from './events.ts';
import { sections } from './sections.ts';

/** The endpoints that only the console has, all below `/console/api`. */
export const consoleEndpoints: readonly ConsoleEndpoint[] = [
  ...sessionEndpoints,
  ...signInEndpoints,
  ...passkeyEndpoints,
  ...pictureEndpoints,
  ...userEndpoints,
  ...keyEndpoints,
  ...grantEndpoints,
  ...auditEndpoints,
  ...approvalEndpoints,
  ...exportEndpoints,
  ...importEndpoints,
  ...inboxEndpoints,
  ...presenceEndpoints,
  ...changeEndpoints,
  ...timelineEndpoints,
  ...contactPageEndpoints,
  ...dealEndpoints,
  ...taskPageEndpoints,
  ...privacyEndpoints,
  ...whyEndpoints,
  ...calendarPageEndpoints,
  ...campaignEndpoints,
  ...recipientEndpoints,
  ...changeCampaignEndpoints,
  ...composeEndpoints,
  ...workflowEndpoints,
  ...subscriptionEndpoints,
  ...deliveryEndpoints(webhookEventNames),
  ...eventEndpoints(webhookEventNames),
  ...manifestEndpoints(sections),
  ...channelEndpoints,
  ...agencyEndpoints,
  ...agencyKeyEndpoints,
  ...healthEndpoints,
];

/** The tags of the console's OpenAPI document. */
export const consoleTags: Readonly<Record<string, string>> = {
  session: 'The signed-in user.',
  'sign-in': 'The ways to sign in.',
  passkeys: 'The passkeys of the signed-in user.',
  picture: 'The picture of the signed-in user.',
  pictures: 'The pictures of the team.',
  users: 'The members of a sub-account.',
  keys: 'The API keys of a sub-account.',
  channels: 'The channels of a sub-account.',
  grants: 'Programs that ask for access with OAuth.',
  audit: 'Changes of records, with the user, key or program that made them.',
  approvals: 'Calls of agents that wait for the decision of a person.',
  exports: 'Files that people download.',
  imports: 'Files of contacts that people import.',
  inbox: 'The inbox: lists, drafts, saved replies and sending again.',
  changes: 'What changes while the console is open.',
  timeline: 'What happened with a contact.',
  contacts: 'Saved views, changes of many contacts, merges, and what a contact may be sent.',
  opportunities: 'Opportunities and their outcome.',
  tasks: 'Tasks with the names of their contacts.',
  pipelines: 'What the opportunities of a pipeline are expected to bring.',
  privacy: 'Everything about one person.',
  why: 'Why something did not happen.',
  calendars: 'What the calendar page shows around the appointments.',
  appointments: 'Moving appointments.',
  campaigns: 'Campaigns and their recipients.',
  workflows: 'Workflows of the sub-account.',
  runs: 'Runs of workflows.',
  deliveries: 'Attempts to deliver webhooks.',
  webhooks: 'Webhook subscriptions.',
  events: 'The events of the last 30 days.',
  health: 'The state of the installation.',
  agency: 'The sub-accounts, users and keys of the installation, for its owners.',
  'sub-account': 'The sub-account itself, for owners.',
  manifest: 'The settings of the sub-account as one text.',
};

const lineOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`;

/**
 * Every route below `/console/api`: the console's own endpoints, and the endpoints of the API behind a
 * session. An endpoint of the console replaces the one of the API with the same method and path.
 */
export function consoleRoutes(): readonly ConsoleEndpoint[] {
  const own = new Set(consoleEndpoints.map(lineOf));
  const twins = endpoints.flatMap((endpoint) =>
    endpoint.kind === 'keyed' ? (behindSession(endpoint) ?? []) : [],
  );
  return [...consoleEndpoints, ...twins.filter((twin) => !own.has(lineOf(twin)))];
}
