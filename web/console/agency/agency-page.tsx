import { useSearchParams } from 'wouter';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page, UnknownPage } from '../shell/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AgencyKeysTab } from './agency-keys-tab.tsx';
import { SubAccountsTab } from './sub-accounts-tab.tsx';
import { UsersTab } from './users-tab.tsx';

/** The sub-accounts, users and keys of the installation, for its owners. */
export function AgencyPage() {
  const { agency, settings } = useMessages();
  const { isOwner } = usePlace().session;
  const [params, setParams] = useSearchParams();
  const items = [
    { id: 'sub-accounts', label: agency.subAccounts, content: <SubAccountsTab /> },
    { id: 'users', label: agency.users, content: <UsersTab /> },
    { id: 'keys', label: settings.keys, content: <AgencyKeysTab /> },
  ];
  const selected = items.find(({ id }) => id === params.get('tab'))?.id ?? 'sub-accounts';
  return isOwner ? (
    <Page title={agency.title} hidesZone>
      <Tabs
        label={agency.title}
        items={items}
        selected={selected}
        onSelect={(tab) => setParams({ tab }, { replace: true })}
      />
    </Page>
  ) : (
    <UnknownPage />
  );
}
