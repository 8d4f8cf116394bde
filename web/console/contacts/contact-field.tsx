import { useDeferredValue, useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { ComboBox } from '../ui/combo-box.tsx';
import { useContact, useContacts } from './contact-queries.ts';

interface ContactFieldProps {
  readonly label: string;
  readonly value: string | null;
  readonly isOptional?: boolean;
  readonly onChange: (contactId: string | null) => void;
}

/** A field that finds a contact by name, email or phone. */
export function ContactField({ label, value, isOptional = false, onChange }: ContactFieldProps) {
  const { common, contacts } = useMessages();
  const [typed, setText] = useState<string>();
  const { data: known } = useContact(value);
  const text = typed ?? (known ? `${known.firstName} ${known.lastName}`.trim() : '');
  const query = useContacts({ search: useDeferredValue(text) });
  const options = (query.data?.pages[0]?.data ?? []).map(
    ({ id, firstName, lastName, email, phone }) => {
      const hint = email ?? phone;
      return {
        id,
        label: `${firstName} ${lastName}`.trim() || hint || common.unnamed,
        ...(hint !== null && { hint }),
      };
    },
  );
  return (
    <ComboBox
      label={label}
      isOptional={isOptional}
      placeholder={contacts.search}
      empty={query.isPending || query.isPlaceholderData ? '…' : contacts.emptySearch}
      options={options}
      text={text}
      onText={(next) => {
        setText(next);
        if (next === '') {
          onChange(null);
        }
      }}
      value={value}
      onChange={(option) => {
        // No option: the field was left while the search does not show its contact, which it keeps.
        setText(option?.label);
        if (option) {
          onChange(option.id);
        }
      }}
    />
  );
}
