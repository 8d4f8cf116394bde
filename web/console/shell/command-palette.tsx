import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuSection } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { SearchField } from 'react-aria-components/SearchField';
import { useLocation } from 'wouter';
import { clientOf } from '../api/client.ts';
import { SEARCH_MIN } from '../api/limits.ts';
import { useIsIntegrator, usePlace } from '../api/session.ts';
import { useSearchedPhone } from '../contacts/searched-phone.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useFoundDeals, type ListedDeal } from '../opportunities/opportunity-queries.ts';
import { cx } from '../ui/cx.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { MenuItem } from '../ui/menu.tsx';
import popover from '../ui/popover.module.css';
import { usePages } from './pages.ts';
import styles from './command-palette.module.css';

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  readonly shortcut?: string;
  readonly run: () => void;
}

interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Actions besides the pages. */
  readonly commands: readonly Command[];
}

/** Searches records and actions. */
export function CommandPalette({ isOpen, onClose, commands }: CommandPaletteProps) {
  const { palette } = useMessages();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      className={cx(styles.overlay)}
    >
      <Modal className={cx(styles.modal)}>
        <Dialog aria-label={palette.title} className={cx(styles.dialog)}>
          <PaletteContent commands={commands} onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The palette shows this many records of each kind. */
const FOUND_MAX = 6;

/** Returns the contacts and deals that match; none before two characters are typed. */
function useFound(text: string) {
  const { subAccountId } = usePlace().membership;
  const isIntegrator = useIsIntegrator();
  const search = useDeferredValue(text.trim());
  const isSearch = search.length >= SEARCH_MIN && !isIntegrator;
  const phone = useSearchedPhone(isSearch ? search : '');
  const query = { ...(phone ? { phone } : { search }), limit: FOUND_MAX };
  const contacts = useQuery({
    queryKey: [subAccountId, 'contacts', 'palette', query],
    queryFn: ({ signal }) => clientOf(subAccountId).contacts.list(query, { signal }),
    enabled: isSearch && phone !== undefined,
    placeholderData: keepPreviousData,
  });
  const deals = useFoundDeals(search, FOUND_MAX, isSearch);
  const isStale = [contacts, deals].some((one) => one.isPending || one.isPlaceholderData);
  return isSearch
    ? { contacts: contacts.data?.data ?? [], deals: deals.data?.data ?? [], isSearching: isStale }
    : { contacts: [], deals: [], isSearching: false };
}

/** Returns the commands and pages that contain a text: first the pages whose name begins with it. */
function useActions(commands: CommandPaletteProps['commands'], text: string) {
  const { palette, nav } = useMessages();
  const [, navigate] = useLocation();
  const typed = text.trim().toLowerCase();
  const isNamed = (id: keyof typeof nav) => typed !== '' && nav[id].toLowerCase().startsWith(typed);
  const pages = usePages().map(({ id, icon }) => ({
    isFirst: isNamed(id),
    action: {
      id: `page:${id}`,
      label: palette.go(nav[id]),
      icon,
      run: () => navigate(`/${id}`),
    },
  }));
  const first = pages.filter(({ isFirst }) => isFirst).map(({ action }) => action);
  const others = pages.filter(({ isFirst }) => !isFirst).map(({ action }) => action);
  return [...first, ...commands, ...others].filter(({ label }) =>
    label.toLowerCase().includes(typed),
  );
}

function PaletteContent({ commands, onClose }: Omit<CommandPaletteProps, 'isOpen'>) {
  const { palette, common } = useMessages();
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const { contacts, deals, isSearching } = useFound(text);
  const actions = useActions(commands, text);
  const choose = (run: () => void) => () => {
    onClose();
    run();
  };
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <SearchField aria-label={palette.search} autoFocus className={cx(styles.search)}>
        <Icon name="search" />
        <Input placeholder={palette.search} className={cx(styles.input)} />
      </SearchField>
      <Menu
        aria-label={palette.results}
        className={cx(styles.results)}
        renderEmptyState={() => (
          <p className={styles.empty}>{isSearching ? '…' : palette.nothing}</p>
        )}
      >
        {contacts.length > 0 && (
          <MenuSection>
            <Header className={cx(popover.header)}>{palette.contacts}</Header>
            {contacts.map(({ id, firstName, lastName, email, phone }) => (
              <MenuItem
                key={id}
                id={id}
                icon="user"
                hint={email ?? phone ?? ''}
                onAction={choose(() => navigate(`/contacts/${id}`))}
              >
                {`${firstName} ${lastName}`.trim() || common.unnamed}
              </MenuItem>
            ))}
          </MenuSection>
        )}
        <DealSection deals={deals} onOpen={(path) => choose(() => navigate(path))()} />
        {actions.length > 0 && (
          <MenuSection>
            <Header className={cx(popover.header)}>{palette.actions}</Header>
            {actions.map(({ id, label, icon, run, ...more }) => (
              <MenuItem key={id} id={id} icon={icon} onAction={choose(run)} {...more}>
                {label}
              </MenuItem>
            ))}
          </MenuSection>
        )}
      </Menu>
    </Autocomplete>
  );
}

interface DealSectionProps {
  readonly deals: readonly ListedDeal[];
  readonly onOpen: (path: string) => void;
}

/** The deals that match, with contact and value. Choosing a deal shows it in the list of its pipeline. */
function DealSection({ deals, onOpen }: DealSectionProps) {
  const { nav, deals: words } = useMessages();
  const format = useFormat();
  const hintOf = ({ contactName, status, value, currency }: ListedDeal): string =>
    [
      contactName ?? '',
      status === 'open' ? '' : words.statuses[status],
      value === null ? '' : format.money(value, currency),
    ]
      .filter(Boolean)
      .join(' · ');
  return (
    deals.length > 0 && (
      <MenuSection>
        <Header className={cx(popover.header)}>{nav.opportunities}</Header>
        {deals.map((deal) => (
          <MenuItem
            key={deal.id}
            id={deal.id}
            icon="opportunities"
            hint={hintOf(deal)}
            onAction={() => onOpen(pathOf(deal))}
          >
            {deal.name}
          </MenuItem>
        ))}
      </MenuSection>
    )
  );
}

const pathOf = ({ pipelineId, name }: ListedDeal): string =>
  `/opportunities?${new URLSearchParams({ pipeline: pipelineId, view: 'list', q: name })}`;
