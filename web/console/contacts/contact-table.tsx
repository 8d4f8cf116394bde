import type { ReactNode } from 'react';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useTeam } from '../inbox/conversation-queries.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { SkeletonText } from '../ui/skeleton.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, type TableColumn, type TableSelection } from '../ui/table.tsx';
import { customText, type ChosenColumn, type ColumnField } from './contact-columns.ts';
import { STAGES } from './contact-filter.ts';
import { useDateText } from './date-text.ts';
import { ChoiceCell, TextCell } from './editable-cell.tsx';
import styles from './contacts.module.css';

/** Short values leave their room to names and addresses. */
const WIDTHS: Partial<Record<ColumnField, string>> = {
  email: '23%',
  phone: '12rem',
  dateOfBirth: '8.5rem',
  stage: '8.5rem',
  score: '6rem',
  created: '6.5rem',
  updated: '6.5rem',
};

const UNASSIGNED = 'unassigned';

interface ContactTableProps {
  readonly rows: readonly Contact[];
  readonly columns: readonly ChosenColumn[];
  readonly isFiltered: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

/** The list of contacts, whose values members with write access change in place. */
export function ContactTable(props: ContactTableProps) {
  const { rows, columns, isFiltered, selected, onSelect } = props;
  const { contacts, contactList } = useMessages();
  const canWrite = usePlace().membership.role !== 'viewer';
  const nameOf = useContactName();
  const cells = useCells(canWrite);
  const shown = columns.map(({ id, label, field, customField }, index): TableColumn<Contact> => {
    const width = field === null ? undefined : WIDTHS[field];
    return {
      id,
      title: label,
      cell: (contact) =>
        field === null ? customText(contact, customField ?? '') : cells[field](contact, label),
      isSecondary: index > 0,
      isNumber: field === 'score',
      ...(width !== undefined && { width }),
    };
  });
  const name: TableColumn<Contact> = {
    id: 'name',
    title: contacts.name,
    cell: (contact) => (
      <span className={styles.name}>
        <Avatar name={nameOf(contact)} isSmall />
        <span className={styles.nameText}>{nameOf(contact)}</span>
      </span>
    ),
    width: '18%',
  };
  const selection: TableSelection<Contact> = {
    ids: selected,
    onChange: onSelect,
    labelOf: (contact) => contactList.select(nameOf(contact)),
    allLabel: contactList.selectAll,
  };
  return (
    <Table
      label={contacts.title}
      columns={[name, ...shown]}
      rows={rows}
      hrefOf={({ id }) => `/contacts/${id}`}
      {...(canWrite && { selection })}
      empty={
        <EmptyState icon="contacts" title={isFiltered ? contacts.emptySearch : contacts.empty}>
          {isFiltered ? contacts.emptySearchText : contacts.emptyText}
        </EmptyState>
      }
    />
  );
}

/** Returns the function that names a contact. */
export function useContactName(): (contact: Pick<Contact, 'firstName' | 'lastName'>) => string {
  const { common } = useMessages();
  return ({ firstName, lastName }) => `${firstName} ${lastName}`.trim() || common.unnamed;
}

type Cell = (contact: Contact, label: string) => ReactNode;

/** Returns how each field is shown, and changed by those who may. */
function useCells(canWrite: boolean): Readonly<Record<ColumnField, Cell>> {
  const { contactList } = useMessages();
  const format = useFormat();
  const dateText = useDateText();
  const nameOf = useContactName();
  const text =
    (field: Parameters<typeof TextCell>[0]['field']): Cell =>
    (contact, label) =>
      canWrite ? (
        <TextCell
          contact={contact}
          field={field}
          label={contactList.edit(label, nameOf(contact))}
        />
      ) : (
        contact[field]
      );
  return {
    email: text('email'),
    phone: text('phone'),
    company: text('company'),
    title: text('title'),
    source: text('source'),
    dateOfBirth: ({ dateOfBirth }) => dateText(dateOfBirth ?? ''),
    city: text('city'),
    country: text('country'),
    stage: (contact, label) => <StageCell contact={contact} label={label} canWrite={canWrite} />,
    owner: (contact, label) => <OwnerCell contact={contact} label={label} canWrite={canWrite} />,
    tags: ({ tags }) => tags.join(', '),
    score: ({ engagementScore }) => engagementScore,
    created: ({ createdAt }) => format.short(createdAt),
    updated: ({ updatedAt }) => format.short(updatedAt),
  };
}

interface CellProps {
  readonly contact: Contact;
  readonly label: string;
  readonly canWrite: boolean;
}

function StageCell({ contact, label, canWrite }: CellProps) {
  const { contacts } = useMessages();
  const badge = <Badge>{contacts.stages[contact.lifecycleStage]}</Badge>;
  return canWrite ? (
    <ChoiceCell
      contact={contact}
      label={label}
      value={contact.lifecycleStage}
      options={STAGES.map((id) => ({ id, label: contacts.stages[id] }))}
      changeOf={(lifecycleStage) => ({ lifecycleStage })}
    >
      {badge}
    </ChoiceCell>
  ) : (
    badge
  );
}

function OwnerCell({ contact, label, canWrite }: CellProps) {
  const { thread } = useMessages();
  const { data: team = [], isPending } = useTeam();
  const name = team.find(({ id }) => id === contact.assignedTo)?.name;
  const options = [
    ...team.map((member) => ({ id: member.id, label: member.name })),
    { id: UNASSIGNED, label: thread.unassigned },
  ];
  return canWrite ? (
    <ChoiceCell
      contact={contact}
      label={label}
      value={contact.assignedTo ?? UNASSIGNED}
      options={options}
      changeOf={(id) => ({ assignedTo: id === UNASSIGNED ? null : id })}
    >
      {contact.assignedTo !== null && isPending ? (
        <SkeletonText />
      ) : (
        <span className={styles.nameText}>{name ?? '–'}</span>
      )}
    </ChoiceCell>
  ) : (
    name
  );
}
