import { useLocation, useSearchParams } from 'wouter';
import { BookButton } from '../calendar/book-button.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { ContactDetails } from './contact-details.tsx';
import { useContact } from './contact-queries.ts';
import { ConsentPanel } from './consent-panel.tsx';
import { NewMenu } from './new-menu.tsx';
import { PersonActions } from './person-actions.tsx';
import { Timeline } from './timeline.tsx';

/** One contact: what happened, and their details. */
export function ContactPage({ contactId }: { readonly contactId: string }) {
  const { contacts, common, consent } = useMessages();
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const { data: contact, error, refetch } = useContact(contactId);
  if (contact === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} />;
  }
  const items = [
    { id: 'timeline', label: contacts.timeline, content: <Timeline contactId={contactId} /> },
    {
      id: 'details',
      label: contacts.details,
      content: <ContactDetails key={contact.id} contact={contact} />,
    },
    { id: 'consent', label: consent.title, content: <ConsentPanel contact={contact} /> },
  ];
  return (
    <Page
      title={`${contact.firstName} ${contact.lastName}`.trim() || common.unnamed}
      hint={<Badge>{contacts.stages[contact.lifecycleStage]}</Badge>}
      before={<IconButton icon="back" label={common.back} onPress={() => navigate('/contacts')} />}
      actions={
        <>
          <BookButton contactId={contactId} />
          <NewMenu contact={contact} />
          <PersonActions contact={contact} />
        </>
      }
    >
      <Tabs
        label={contacts.details}
        items={items}
        selected={items.find(({ id }) => id === params.get('tab'))?.id ?? 'timeline'}
        onSelect={(tab) => setParams({ tab }, { replace: true })}
      />
    </Page>
  );
}
