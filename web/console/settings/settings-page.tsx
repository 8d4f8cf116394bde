import { useSearchParams } from 'wouter';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { AuditTab } from './audit-tab.tsx';
import { ImportTab } from './import/import-tab.tsx';
import { ManifestTab } from './manifest/manifest-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { TeamTab } from './team-tab.tsx';

/** The settings of the sub-account. */
export function SettingsPage() {
  const { settings } = useMessages();
  const [params, setParams] = useSearchParams();
  const items = [
    { id: 'keys', label: settings.keys, content: <KeysTab /> },
    { id: 'team', label: settings.team, content: <TeamTab /> },
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
