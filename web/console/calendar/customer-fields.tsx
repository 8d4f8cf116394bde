import { useDeferredValue, useState } from 'react';
import { useContacts } from '../contacts/contact-queries.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { ComboBox } from '../ui/combo-box.tsx';
import { TextField } from '../ui/field.tsx';
import styles from './calendar.module.css';

/** The customer of an appointment: a known contact, or a new one. */
export type Customer =
  | { readonly kind: 'known'; readonly contactId: string | null }
  | {
      readonly kind: 'new';
      readonly firstName: string;
      readonly lastName: string;
      readonly email: string;
      readonly phone: string;
    };

export const NO_CUSTOMER: Customer = { kind: 'known', contactId: null };
const NEW_CUSTOMER = { kind: 'new', firstName: '', lastName: '', email: '', phone: '' } as const;

interface CustomerFieldsProps {
  readonly value: Customer;
  readonly onChange: (value: Customer) => void;
}

/** Fields for the customer, with a button that changes between a known contact and a new one. */
export function CustomerFields({ value, onChange }: CustomerFieldsProps) {
  const { contacts, planner } = useMessages();
  if (value.kind === 'known') {
    return (
      <div className={styles.customer}>
        <KnownCustomer
          value={value.contactId}
          onChange={(contactId) => onChange({ kind: 'known', contactId })}
        />
        <Button isSmall look="ghost" icon="plus" onPress={() => onChange(NEW_CUSTOMER)}>
          {contacts.newContact}
        </Button>
      </div>
    );
  }
  const set = (field: 'firstName' | 'lastName' | 'email' | 'phone') => (text: string) =>
    onChange({ ...value, [field]: text });
  return (
    <div className={styles.customer}>
      <TextField
        label={contacts.firstName}
        value={value.firstName}
        onChange={set('firstName')}
        isRequired
        autoFocus
      />
      <TextField
        label={contacts.lastName}
        value={value.lastName}
        onChange={set('lastName')}
        isRequired
      />
      <TextField
        label={contacts.email}
        type="email"
        value={value.email}
        onChange={set('email')}
        isRequired={value.phone.trim() === ''}
      />
      <TextField
        label={contacts.phone}
        type="tel"
        value={value.phone}
        onChange={set('phone')}
        isRequired={value.email.trim() === ''}
      />
      <Button isSmall look="ghost" onPress={() => onChange(NO_CUSTOMER)}>
        {planner.knownContact}
      </Button>
    </div>
  );
}

interface KnownCustomerProps {
  readonly value: string | null;
  readonly onChange: (contactId: string | null) => void;
}

function KnownCustomer({ value, onChange }: KnownCustomerProps) {
  const { common, contacts, planner } = useMessages();
  const [text, setText] = useState('');
  const { data } = useContacts({ search: useDeferredValue(text) });
  const options = (data?.pages[0]?.data ?? []).map(({ id, firstName, lastName, email, phone }) => {
    const hint = email ?? phone;
    return {
      id,
      label: `${firstName} ${lastName}`.trim() || hint || common.unnamed,
      ...(hint !== null && { hint }),
    };
  });
  return (
    <ComboBox
      label={planner.customer}
      placeholder={contacts.search}
      empty={contacts.emptySearch}
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
        if (option) {
          setText(option.label);
        }
        onChange(option?.id ?? null);
      }}
    />
  );
}
