import { useState } from 'react';
import { usePlace } from '../../api/session.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { textOf, type Entry } from '../forms/entry.ts';
import { EntryActions } from '../forms/entry-actions.tsx';
import { useSection } from '../forms/section-queries.ts';
import { useRemoval } from '../forms/use-removal.tsx';
import styles from '../settings.module.css';
import { ChannelDialog, type OpenedChannel } from './channel-dialog.tsx';
import { channelMessages } from './channel-messages.ts';
import { ConnectionDialog } from './connection-dialog.tsx';
import { CHANNELS, providersOf, type Channel, type Provider } from './providers.ts';

interface Row {
  /** The name of the channel. */
  readonly id: Channel;
  readonly entry: Entry;
}

/** The channels with their providers, as forms over the manifest, each with a connection test. */
export function ChannelsTab() {
  const texts = channelMessages();
  const { channels } = useMessages();
  const isSandbox = usePlace().membership.sandbox;
  const { entries, error, refetch, readAgain } = useSection('channels');
  const [opened, setOpened] = useState<OpenedChannel>();
  const [tested, setTested] = useState<Channel>();
  const removal = useRemoval('channels');
  const columns = useColumns({
    onEdit: ({ id, entry }) =>
      setOpened({ channel: id, provider: entry['provider'] as Provider, entry }),
    onTest: setTested,
    onRemove: ({ id }) => removal.ask({ key: id, name: channels[id], text: texts.removeText }),
  });
  if (entries === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  const rows = rowsOf(entries);
  const taken = new Set(rows.map(({ id }) => id));
  const left = CHANNELS.filter((channel) => !taken.has(channel));
  return (
    <>
      <div className={styles.bar}>
        {left.length > 0 && (
          <ConnectMenu
            left={left}
            onChoose={(channel, provider) => setOpened({ channel, provider, entry: undefined })}
          />
        )}
        {isSandbox && <p className={styles.hint}>{texts.sandboxText}</p>}
      </div>
      <Table
        label={texts.title}
        rows={rows}
        columns={columns}
        empty={
          <EmptyState icon="chat" title={texts.empty}>
            {texts.emptyText}
          </EmptyState>
        }
      />
      {opened && (
        <ChannelDialog
          {...opened}
          title={channels[opened.channel]}
          readAgain={async () =>
            rowsOf(await readAgain()).find(({ id }) => id === opened.channel)?.entry
          }
          onClose={() => setOpened(undefined)}
          onSaved={setTested}
        />
      )}
      {tested && <ConnectionDialog channel={tested} onClose={() => setTested(undefined)} />}
      {removal.dialog}
    </>
  );
}

/** The section is one object: channels by name. */
const rowsOf = ([section = {}]: readonly Entry[]): readonly Row[] =>
  CHANNELS.filter((channel) => section[channel] !== undefined).map((channel) => ({
    id: channel,
    entry: section[channel] as Entry,
  }));

interface ColumnActions {
  readonly onEdit: (row: Row) => void;
  readonly onTest: (channel: Channel) => void;
  readonly onRemove: (row: Row) => void;
}

function useColumns({ onEdit, onTest, onRemove }: ColumnActions): readonly TableColumn<Row>[] {
  const texts = channelMessages();
  const { channels, inbox, settings } = useMessages();
  return [
    { id: 'channel', title: inbox.channel, cell: ({ id }) => channels[id] },
    {
      id: 'provider',
      title: texts.provider,
      cell: ({ entry }) => texts.providers[entry['provider'] as Provider],
      isSecondary: true,
    },
    {
      id: 'sender',
      title: texts.sender,
      cell: ({ entry }) => textOf(entry['from'] ?? entry['user'] ?? entry['pageId']),
      isSecondary: true,
    },
    {
      id: 'actions',
      title: settings.actionsTitle,
      width: '17rem',
      cell: (row) => (
        <>
          <Button
            isSmall
            aria-label={texts.testOf(channels[row.id])}
            onPress={() => onTest(row.id)}
          >
            {texts.test}
          </Button>{' '}
          <EntryActions
            name={channels[row.id]}
            onEdit={() => onEdit(row)}
            onRemove={() => onRemove(row)}
          />
        </>
      ),
    },
  ];
}

interface ConnectMenuProps {
  readonly left: readonly Channel[];
  readonly onChoose: (channel: Channel, provider: Provider) => void;
}

/** The channels without a provider, by each that can carry them. */
function ConnectMenu({ left, onChoose }: ConnectMenuProps) {
  const texts = channelMessages();
  const { channels } = useMessages();
  const choices = left.flatMap((channel) =>
    providersOf(channel).map((provider) => ({ channel, provider })),
  );
  return (
    <Menu
      label={texts.add}
      trigger={
        <Button look="primary" icon="plus">
          {texts.add}
        </Button>
      }
    >
      {choices.map(({ channel, provider }) => (
        <MenuItem key={`${channel}/${provider}`} onAction={() => onChoose(channel, provider)}>
          {texts.menuItem(channels[channel], texts.providers[provider])}
        </MenuItem>
      ))}
    </Menu>
  );
}
