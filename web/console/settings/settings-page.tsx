import { useSearchParams } from 'wouter';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AuditTab } from './audit-tab.tsx';
import { channelMessages } from './channels/channel-messages.ts';
import { ChannelsTab } from './channels/channels-tab.tsx';
import { ImportTab } from './import/import-tab.tsx';
import { ManifestTab } from './manifest/manifest-tab.tsx';
import { ownerMessages } from './owner-messages.ts';
import { ChatTab } from './forms/chat-tab.tsx';
import { GeneralTab } from './forms/general-tab.tsx';
import { CalendarsTab, FormsTab, PriceListTab } from './forms/section-tabs.tsx';
import { KeysTab } from './keys-tab.tsx';
import { TeamTab } from './team-tab.tsx';

/** The settings of the sub-account. */
export function SettingsPage() {
  const { calendar, forms, settings } = useMessages();
  const [params, setParams] = useSearchParams();
  const items = [
    { id: 'keys', label: settings.keys, content: <KeysTab /> },
    { id: 'general', label: ownerMessages().general.tab, content: <GeneralTab /> },
    { id: 'team', label: settings.team, content: <TeamTab /> },
    { id: 'channels', label: channelMessages().title, content: <ChannelsTab /> },
    { id: 'chat', label: forms.chat, content: <ChatTab /> },
    { id: 'calendars', label: calendar.title, content: <CalendarsTab /> },
    { id: 'forms', label: forms.forms, content: <FormsTab /> },
    { id: 'prices', label: forms.priceList, content: <PriceListTab /> },
    {
      id: 'manifest',
      label: settings.manifest,
      content: <ManifestTab />,
    },
    {
      id: 'import',
      label: settings.imports,
      content: <ImportTab />,
    },
    { id: 'audit', label: settings.audit, content: <AuditTab /> },
  ];
  const selected = items.find(({ id }) => id === params.get('tab'))?.id ?? 'keys';
  return (
    <Page title={settings.title}>
      <Tabs
        label={settings.title}
        items={items}
        selected={selected}
        onSelect={(tab) => setParams({ tab }, { replace: true })}
      />
    </Page>
  );
}
