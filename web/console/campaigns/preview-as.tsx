import { Select } from '../ui/select.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import type { PreviewChoice, PreviewedMail } from './campaign-queries.ts';
import { usePreviewContacts, type PreviewContact } from './compose-queries.ts';
import styles from './compose.module.css';

const WITHOUT_NAME = 'without-name';
const EXAMPLE = 'example';

interface PreviewAsProps {
  readonly listId: string | null;
  readonly contact: PreviewedMail['contact'];
  readonly choice: PreviewChoice;
  readonly onChange: (choice: PreviewChoice) => void;
}

/** Names the contact that a preview is merged for, and lets another one be chosen. */
export function PreviewAs({ listId, contact, choice, onChange }: PreviewAsProps) {
  const { compose } = useCampaignMessages();
  const { data: contacts = [] } = usePreviewContacts(listId);
  const chosen = choice.withoutName ? WITHOUT_NAME : (contact.contactId ?? EXAMPLE);
  const known = contacts.map((one) => ({ id: one.contactId, label: labelOf(one) }));
  const isKnown = chosen === WITHOUT_NAME || known.some(({ id }) => id === chosen);
  const hasNameless = contacts.some(({ hasFirstName }) => !hasFirstName);
  const name = contact.name || (contact.email ?? '');
  const options = [
    ...(isKnown
      ? []
      : [{ id: chosen, label: chosen === EXAMPLE ? compose.exampleContact(name) : name }]),
    ...known,
    ...(hasNameless ? [] : [{ id: WITHOUT_NAME, label: compose.withoutName }]),
  ];
  return (
    <div className={styles.previewAs}>
      <Select
        label={compose.previewAs}
        value={chosen}
        options={options}
        onChange={(id) => onChange(choiceOf(id))}
      />
    </div>
  );

  function labelOf(one: PreviewContact): string {
    const text = one.name || (one.email ?? '');
    return one.hasFirstName ? text : compose.noFirstName(text);
  }
}

function choiceOf(id: string): PreviewChoice {
  if (id === WITHOUT_NAME) {
    return { withoutName: true };
  }
  return id === EXAMPLE ? {} : { contactId: id };
}
