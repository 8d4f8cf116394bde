import { CHANNELS } from './channels.ts';
import { useMessages } from '../i18n/messages.tsx';
import { IconButton } from '../ui/button.tsx';
import { SearchField } from '../ui/field.tsx';
import { Menu, MenuChoice } from '../ui/menu.tsx';
import { Button } from 'react-aria-components/Button';
import { Icon } from '../ui/icons.tsx';
import { cx } from '../ui/cx.ts';
import { ZoneNote } from '../shell/page.tsx';
import { VIEWS, type InboxFilter } from './conversation-queries.ts';
import styles from './inbox.module.css';

interface InboxFiltersProps {
  readonly filter: InboxFilter;
  readonly onChange: (change: Partial<InboxFilter>) => void;
}

/** The view, the channel and the search above the list. */
export function InboxFilters({ filter, onChange }: InboxFiltersProps) {
  const { inbox } = useMessages();
  const names = useViewNames();
  return (
    <div className={styles.filters}>
      <div className={styles.filterBar}>
        <h1 id="inbox-title" className={styles.heading}>
          {inbox.title}
        </h1>
        <div className={styles.controls}>
          <Menu
            label={inbox.views}
            trigger={
              <Button
                className={cx(styles.view)}
                aria-label={`${inbox.views}: ${names[filter.view]}`}
              >
                {names[filter.view]}
                <Icon name="chevronDown" size={14} />
              </Button>
            }
          >
            <MenuChoice
              title={inbox.views}
              value={filter.view}
              options={VIEWS.map((id) => ({
                id,
                label: names[id],
                ...(id === 'all' && { description: inbox.viewAllHint }),
              }))}
              onChoose={(view) => onChange({ view })}
            />
          </Menu>
          <Button
            className={cx(styles.view)}
            aria-pressed={filter.isUnread}
            onPress={() => onChange({ isUnread: !filter.isUnread })}
          >
            {inbox.unread}
          </Button>
          <span className={styles.spacer} />
          <FilterMenu filter={filter} onChange={onChange} />
        </div>
      </div>
      <SearchField
        label={inbox.search}
        value={filter.search}
        onChange={(search) => onChange({ search })}
      />
      <p className={styles.zone}>
        <ZoneNote />
      </p>
    </div>
  );
}

/** One channel only. */
function FilterMenu({ filter, onChange }: InboxFiltersProps) {
  const { inbox, channels } = useMessages();
  const isFiltered = filter.channel !== null;
  return (
    <Menu
      label={inbox.filter}
      placement="bottom end"
      trigger={
        <IconButton
          icon="settings"
          label={isFiltered ? `${inbox.filter} •` : inbox.filter}
          isSmall
        />
      }
    >
      <MenuChoice
        title={inbox.channel}
        value={filter.channel ?? 'any'}
        options={[
          { id: 'any', label: inbox.allChannels },
          ...CHANNELS.map((id) => ({ id, label: channels[id] })),
        ]}
        onChoose={(id) => onChange({ channel: id === 'any' ? null : id })}
      />
    </Menu>
  );
}

function useViewNames(): Readonly<Record<InboxFilter['view'], string>> {
  const { inbox } = useMessages();
  return {
    all: inbox.viewAll,
    mine: inbox.viewMine,
    unassigned: inbox.viewUnassigned,
    snoozed: inbox.viewSnoozed,
    closed: inbox.viewClosed,
    archived: inbox.viewArchived,
  };
}
