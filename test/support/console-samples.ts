import type { ConsoleEndpoint } from '#core/endpoint/console-endpoint.ts';
import { endpoints } from '#registry/endpoints.ts';
import { CAMPAIGN, setUpCampaigns } from '../campaigns/campaigns.support.ts';
import { inviteAs, type Browser } from './people.ts';
import { nounOf, successfulRequest } from './samples.ts';
import type { CallOptions, TestService } from './service.ts';
import {
  ADDRESS,
  CHAT,
  NEW_KEY,
  VIP,
  agencyKeyId,
  appointmentId,
  approvalId,
  bulkChangeId,
  campaignId,
  campaignListId,
  channel,
  contactId,
  conversationId,
  deliveryId,
  eventId,
  failedMessageId,
  importId,
  keyId,
  memberId,
  newView,
  passkeyId,
  pipelineId,
  reachableId,
  runId,
  slug,
  subAccountName,
  submissionId,
  subscriptionId,
  viewId,
} from './console-records.ts';

/** A picture of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

interface Sample {
  /** The status if the sample cannot succeed. */
  readonly status?: number;
  /** The id in the path. */
  readonly id?: (service: TestService, browser: Browser) => Promise<string>;
  /** The second id in the path, of a record of the first. */
  readonly innerId?: (service: TestService, id: string) => Promise<string>;
  readonly body?: (service: TestService) => Promise<unknown>;
  /** The body of an upload. */
  readonly csv?: string;
  /** The query of the call, with its question mark. */
  readonly query?: string;
}

/** How to call each endpoint that only the console has; a new one needs a line here. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'session.get': {},
  'session.sign-out': {},
  'sign-in.link': {
    body: async (service) => ({ token: (await inviteAs(service, 'agent')).token }),
  },
  'sign-in.methods': {},
  'sign-in.passkey-options': {},
  'sign-in.mail': { body: async () => ({ email: 'ada@example.com' }) },
  'passkeys.options': {},
  'passkeys.list': {},
  // A credential needs a browser: test/console/passkeys.test.ts creates some.
  'passkeys.create': { body: async () => ({ credential: { id: 'x' } }), status: 400 },
  'passkeys.delete': { id: passkeyId },
  'picture.set': { body: async () => ({ content: PICTURE }) },
  'picture.delete': {},
  'pictures.list': {},
  'users.list': {},
  'users.create': {
    body: async () => ({ email: `new-${crypto.randomUUID()}@example.com`, role: 'viewer' }),
  },
  'users.update': { id: memberId, body: async () => ({ role: 'agent' }) },
  'users.link': { id: memberId },
  'users.delete': { id: memberId },
  'keys.list': {},
  'keys.create': { body: async () => NEW_KEY },
  'keys.update': { id: keyId, body: async () => ({ scopes: ['tasks:read'] }) },
  'keys.rotate': { id: keyId, body: async () => ({ grace: '24h' }) },
  'keys.revoke': { id: keyId },
  // A request is sealed by the server: test/agents/oauth.test.ts makes some.
  'grants.request': { query: '?request=x', status: 400 },
  'grants.allow': {
    body: async () => ({
      request: 'x',
      scopes: ['contacts:read'],
      agentPolicy: { tells: 'allow', destroys: 'ask', mass: 'ask' },
    }),
    status: 400,
  },
  'audit.list': {},
  'approvals.list': { query: '?status=pending,approved' },
  'approvals.get': { id: approvalId },
  'approvals.approve': { id: approvalId },
  'approvals.deny': { id: approvalId },
  'exports.contacts': {},
  'exports.selection': { body: async () => ({ filter: { tags: ['vip'] } }) },
  'opportunities.list': {},
  'tasks.list': {},
  'opportunities.mark': {
    id: (service) => nounOf('/api/v1/opportunities').make(service),
    body: async () => ({ status: 'lost', lostReason: 'too expensive' }),
  },
  'pipelines.forecast': { id: pipelineId },
  'contacts.views': {},
  'contacts.create-view': { body: async () => newView() },
  'contacts.save-columns': { body: async () => ({ columns: ['email', 'phone'] }) },
  'contacts.update-view': { id: viewId, body: async () => ({ columns: ['company'] }) },
  'contacts.delete-view': { id: viewId },
  'contacts.change-many': { body: async () => VIP },
  'contacts.change-of-many': { id: bulkChangeId },
  'contacts.stop-many': { id: bulkChangeId },
  'contacts.merge-preview': {
    id: contactId,
    body: async (service) => ({ contactId: await contactId(service) }),
  },
  'contacts.read-phone': { query: '?text=030%20901820' },
  'contacts.consent': { id: contactId },
  'contacts.suppress': {
    id: reachableId,
    body: async () => ({ channel: 'email', address: ADDRESS }),
  },
  'contacts.unsuppress': {
    id: reachableId,
    body: async () => ({ channel: 'email', address: ADDRESS }),
  },
  'imports.create': { csv: 'firstName,lastName\nAda,Lovelace\n', query: '?dryRun=true' },
  'imports.get': { id: importId },
  'inbox.list': { query: '?view=all&order=activity' },
  'inbox.counts': {},
  'inbox.read': { id: conversationId },
  'inbox.unread': { id: conversationId },
  'inbox.snooze': { id: conversationId, body: async () => ({ until: '2099-12-01T09:00:00Z' }) },
  'inbox.resend': { id: conversationId, innerId: failedMessageId },
  'inbox.image': {
    id: conversationId,
    innerId: failedMessageId,
    query: '?url=https://example.com/logo.png',
    status: 404,
  },
  'inbox.draft': { id: conversationId },
  'inbox.save-draft': { id: conversationId, body: async () => ({ bodyText: 'Hello' }) },
  'inbox.replies': {},
  'inbox.presence': { id: conversationId },
  'inbox.be-present': { id: conversationId, body: async () => ({ state: 'viewing' }) },
  'changes.stream': {},
  'timeline.list': { id: contactId },
  'timeline.submission': { id: contactId, innerId: submissionId },
  // Any record would do: test/console/why asks about each kind.
  'why.get': { query: '?kind=message&id=0198c0de-0000-7000-8000-000000000000', status: 404 },
  'privacy.export': { id: contactId },
  'privacy.erase': { id: contactId },
  'calendars.schedule': { query: '?date=2026-11-23&endDate=2026-11-29' },
  'appointments.slots': { id: appointmentId, query: '?date=2026-11-23&endDate=2026-11-29' },
  'campaigns.list': {},
  'campaigns.get': { id: campaignId() },
  'campaigns.recipients': { id: campaignId(), query: '?status=pending&q=ada' },
  'campaigns.left-out': { id: campaignId() },
  'campaigns.preview': { id: campaignId() },
  'campaigns.update': { id: campaignId(), body: async () => CAMPAIGN },
  // Without a mail server: test/console/campaigns.chromium.test.ts sends one.
  'campaigns.test': { id: campaignId(), status: 400 },
  'campaigns.progress': { id: campaignId() },
  'campaigns.templates': {},
  'campaigns.lists': {},
  'campaigns.audience': { id: campaignListId },
  'campaigns.preview-contacts': { id: campaignListId },
  'campaigns.preview-content': {
    async body(service) {
      await setUpCampaigns(service);
      const { subject, contentHtml, layout } = CAMPAIGN;
      return { subject, contentHtml, layout };
    },
  },
  'campaigns.recurring': {},
  'campaigns.pause': { id: campaignId('sending') },
  'campaigns.resume': { id: campaignId('paused') },
  'campaigns.unschedule': { id: campaignId('scheduled') },
  'campaigns.cancel': { id: campaignId() },
  'campaigns.reschedule': {
    id: campaignId('scheduled'),
    body: async ({ clock }) => ({ scheduledAt: clock().getTime() + 3_600_000 }),
  },
  'campaigns.delete': { id: campaignId('draft') },
  'workflows.list': {},
  'workflows.runs': { id: slug, query: '?status=waiting' },
  'workflows.dry-run': {
    id: slug,
    body: async (service) => ({ contactId: await contactId(service) }),
  },
  'runs.get': { id: runId },
  'runs.cancel-many': { body: async (service) => ({ runIds: [await runId(service)] }) },
  'runs.cancel': { id: runId },
  'deliveries.list': { query: '?status=failed&event=contact.created&since=2026-01-01T00:00:00Z' },
  'events.latest': { query: '?event=contact.created' },
  'events.get': { id: eventId },
  'deliveries.get': { id: deliveryId },
  'deliveries.retry': { id: deliveryId },
  'agency.sub-accounts': {},
  'agency.create-sub-account': { body: async () => ({ name: 'Harbour Dental', sandbox: true }) },
  'sub-account.close': { body: subAccountName },
  'agency.users': {},
  'agency.invite-owner': {
    body: async () => ({ email: `new-${crypto.randomUUID()}@example.com` }),
  },
  'agency.link-user': { id: memberId },
  'agency.update-user': { id: memberId, body: async () => ({ status: 'disabled' }) },
  'agency.sign-out-user': { id: memberId },
  'agency.keys': {},
  'agency.create-key': { body: async () => NEW_KEY },
  'agency.revoke-key': { id: agencyKeyId },
  'health.get': {},
  'channels.test': { id: channel },
  'manifest.get': {},
  'manifest.diff': { body: async () => CHAT },
  'manifest.apply': { body: async () => CHAT },
  'webhooks.list': { query: '?status=active' },
  'webhooks.end-previous-secret': { id: subscriptionId },
  'webhooks.replay-count': {
    id: subscriptionId,
    query: '?since=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z&event=contact.created',
  },
  'webhooks.replay': {
    id: subscriptionId,
    body: async () => ({ since: '2026-01-01T00:00:00Z', only: 'failed', event: 'contact.created' }),
  },
};

interface ConsoleRequest {
  readonly line: string;
  readonly options: CallOptions;
  /** The expected status. */
  readonly status: number;
}

/** Returns a successful call of an endpoint that only the console has. */
export async function consoleRequest(
  endpoint: ConsoleEndpoint,
  service: TestService,
  browser: Browser,
): Promise<ConsoleRequest> {
  const sample = SAMPLES[endpoint.id];
  if (!sample) {
    throw new Error(`${endpoint.id} needs a line in test/support/console-samples.ts`);
  }
  const id = (await sample.id?.(service, browser)) ?? '';
  const body = await sample.body?.(service);
  const innerId = (await sample.innerId?.(service, id)) ?? '';
  const path = endpoint.path
    .replace(/:id|:slug|:channel/, id)
    .replace(/:messageId|:submissionId/, innerId);
  const line = `${endpoint.method} ${path}${sample.query ?? ''}`;
  const status = sample.status ?? endpoint.status ?? 200;
  const csv = sample.csv && { raw: sample.csv, headers: { 'content-type': 'text/csv' } };
  return { line, status, options: csv || (body === undefined ? {} : { body }) };
}

/** The twin's request with a key, below `/console`; the samples of the console for its own. */
export async function routeRequest(
  endpoint: ConsoleEndpoint,
  service: TestService,
  browser: Browser,
) {
  const keyed = endpoints.find(
    ({ id, path }) => `/console${path}` === endpoint.path && id === endpoint.id,
  );
  if (!keyed) {
    return consoleRequest(endpoint, service, browser);
  }
  const { line, options } = await successfulRequest(keyed, service);
  const status = endpoint.status ?? 200;
  return { line: line.replace(' /api/', ' /console/api/'), options, status };
}
