import { useEffect, type ComponentType } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { PlaceContext, useSession } from './api/session.ts';
import type { Session } from './api/console-types.ts';
import { NoSubAccount } from './shell/no-sub-account.tsx';
import { forAdmins, PageFallback, UnknownPage } from './shell/page.tsx';
import { guardedNavigation } from './shell/leave-guard.ts';
import { startPageOf } from './shell/pages.ts';
import { takePage } from './shell/return-path.ts';
import { BASE, defaultMembership, membershipAt } from './shell/sub-account-path.ts';
import { ErrorState } from './ui/states.tsx';
import { Toasts } from './ui/toast.tsx';
import { Shell } from './shell/shell.tsx';
import { InboxPage } from './inbox/inbox-page.tsx';
import { lazily } from './ui/lazily.tsx';

/** Returns a page whose script is loaded with its first visit. */
const page = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazily(load, <PageFallback />);

const SignInPage = page(async () => (await import('./sign-in/sign-in-page.tsx')).SignInPage);
const ContactsPage = page(async () => (await import('./contacts/contacts-page.tsx')).ContactsPage);
const ContactPage = page(async () => (await import('./contacts/contact-page.tsx')).ContactPage);
const TasksPage = page(async () => (await import('./tasks/tasks-page.tsx')).TasksPage);
const OpportunitiesPage = page(
  async () => (await import('./opportunities/opportunities-page.tsx')).OpportunitiesPage,
);
const CalendarPage = page(async () => (await import('./calendar/calendar-page.tsx')).CalendarPage);
const SettingsPage = forAdmins(
  'settings',
  page(async () => (await import('./settings/settings-page.tsx')).SettingsPage),
);
const CampaignsPage = forAdmins(
  'campaigns',
  page(async () => (await import('./campaigns/campaigns-page.tsx')).CampaignsPage),
);
const ComposePage = forAdmins(
  'campaigns',
  page(async () => (await import('./campaigns/compose-page.tsx')).ComposePage),
);
const CampaignPage = forAdmins(
  'campaigns',
  page(async () => (await import('./campaigns/campaign-page.tsx')).CampaignPage),
);
const WorkflowsPage = forAdmins(
  'workflows',
  page(async () => (await import('./workflows/workflows-page.tsx')).WorkflowsPage),
);
const WorkflowPage = forAdmins(
  'workflows',
  page(async () => (await import('./workflows/workflow-page.tsx')).WorkflowPage),
);
const RunPage = forAdmins(
  'workflows',
  page(async () => (await import('./workflows/run-page.tsx')).RunPage),
);
const WebhooksPage = forAdmins(
  'webhooks',
  page(async () => (await import('./webhooks/webhooks-page.tsx')).WebhooksPage),
);
const AuthorizePage = page(
  async () => (await import('./authorize/authorize-page.tsx')).AuthorizePage,
);
const ApprovalsPage = page(
  async () => (await import('./approvals/approvals-page.tsx')).ApprovalsPage,
);
const ApprovalPage = page(
  async () => (await import('./approvals/approvals-page.tsx')).ApprovalPage,
);
const HealthPage = page(async () => (await import('./health/health-page.tsx')).HealthPage);
const AgencyPage = page(async () => (await import('./agency/agency-page.tsx')).AgencyPage);
const DesignPage = IS_DEVELOPMENT
  ? page(async () => (await import('./design/design-page.tsx')).DesignPage)
  : null;

/** The whole console, from the address down. */
export const App = () => (
  <>
    <Router base={BASE} aroundNav={guardedNavigation}>
      <Switch>
        {DesignPage && <Route path="/design" component={DesignPage} />}
        <Route path="/sign-in" component={SignInPage} />
        <Route>
          <SignedIn />
        </Route>
      </Switch>
    </Router>
    <Toasts />
  </>
);

/** Asks who is signed in; without a session, the sign-in page remembers where to return to. */
function SignedIn() {
  const { data: session, error, refetch } = useSession();
  if (session === undefined) {
    return error === null ? (
      <PageFallback />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    );
  }
  return session === null ? (
    <SignInPage />
  ) : (
    <Switch>
      <Route path="/authorize">
        <AuthorizePage session={session} />
      </Route>
      <Route>
        <Places session={session} />
      </Route>
    </Switch>
  );
}

function Places({ session }: { readonly session: Session }) {
  return (
    <Switch>
      <Route path="/:subAccountId/*?">
        {({ subAccountId }) => <Place key={subAccountId} session={session} id={subAccountId} />}
      </Route>
      <Route>
        <Place session={session} id={undefined} />
      </Route>
    </Switch>
  );
}

/** The first part of a path that names a sub-account. */
const SUB_ACCOUNT = /^\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\/|$)/;

interface PlaceProps {
  readonly session: Session;
  readonly id: string | undefined;
}

/** The pages of one sub-account. A path without one, such as `/inbox`, leads to the last used. */
function Place({ session, id }: PlaceProps) {
  const membership = membershipAt(session, id);
  const instead = defaultMembership(session);
  useEffect(() => {
    if (membership === undefined && instead !== undefined) {
      // Without the sub-account that was closed, or that the user left.
      const rest = location.pathname.slice(BASE.length).replace(SUB_ACCOUNT, '');
      const isStart = rest === '' || rest === '/';
      const start = `/${startPageOf(instead)}`;
      const page = `${BASE}/${instead.subAccountId}${isStart ? start : rest}${location.search}`;
      navigate((isStart && takePage()) || page, { replace: true });
    }
  }, [membership, instead]);
  if (membership === undefined) {
    return instead === undefined ? <NoSubAccount session={session} /> : <PageFallback />;
  }
  return (
    <PlaceContext value={{ session, membership }}>
      <Router base={`/${membership.subAccountId}`}>
        <Shell>{membership.role === 'integrator' ? <IntegratorPages /> : <Pages />}</Shell>
      </Router>
    </PlaceContext>
  );
}

/** Integrators have one page: other addresses lead there. */
const IntegratorPages = () => (
  <Switch>
    <Route path="/webhooks" component={WebhooksPage} />
    <Route>
      <Redirect to="/webhooks" replace />
    </Route>
  </Switch>
);

const Pages = () => (
  <Switch>
    <Route path="/">
      <Redirect to="/inbox" replace />
    </Route>
    <Route path="/inbox/:conversationId?">
      {({ conversationId }) => <InboxPage conversationId={conversationId} />}
    </Route>
    <Route path="/contacts" component={ContactsPage} />
    <Route path="/contacts/:contactId">
      {({ contactId }) => <ContactPage key={contactId} contactId={contactId} />}
    </Route>
    <Route path="/opportunities" component={OpportunitiesPage} />
    <Route path="/tasks" component={TasksPage} />
    <Route path="/calendar" component={CalendarPage} />
    <Route path="/campaigns" component={CampaignsPage} />
    <Route path="/campaigns/new">{() => <ComposePage />}</Route>
    <Route path="/campaigns/:campaignId/edit">
      {({ campaignId }) => <ComposePage key={campaignId} campaignId={campaignId} />}
    </Route>
    <Route path="/campaigns/:campaignId">
      {({ campaignId }) => <CampaignPage key={campaignId} campaignId={campaignId} />}
    </Route>
    <Route path="/workflows" component={WorkflowsPage} />
    <Route path="/workflows/:slug">{({ slug }) => <WorkflowPage key={slug} slug={slug} />}</Route>
    <Route path="/workflows/:slug/runs/:runId">
      {({ runId }) => <RunPage key={runId} runId={runId} />}
    </Route>
    <Route path="/webhooks" component={WebhooksPage} />
    <Route path="/approvals" component={ApprovalsPage} />
    <Route path="/approvals/:approvalId">
      {({ approvalId }) => <ApprovalPage key={approvalId} approvalId={approvalId} />}
    </Route>
    <Route path="/settings" component={SettingsPage} />
    <Route path="/agency" component={AgencyPage} />
    <Route path="/health" component={HealthPage} />
    <Route component={UnknownPage} />
  </Switch>
);
