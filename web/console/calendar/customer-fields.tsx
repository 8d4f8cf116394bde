import { ContactField } from '../contacts/contact-field.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
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
        <ContactField
          label={planner.customer}
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
