import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { consoleCalls } from '../api/client.ts';
import { useIsAdmin, usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { Switch } from '../ui/switch.tsx';
import { useUpdateContact } from './contact-queries.ts';
import { useShowError } from '../ui/use-show-error.ts';
import styles from './consent-panel.module.css';

interface Address {
  readonly channel: 'email' | 'sms';
  readonly address: string;
  readonly suppressed: { readonly reason: string; readonly createdAt: string } | null;
}

interface Consent {
  /** Without what the suppressions add. */
  readonly dnd: Readonly<Record<string, boolean>>;
  readonly addresses: readonly Address[];
}

function useConsent(contactId: string) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'contact', contactId, 'consent'],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<Consent>('GET', `/api/v1/contacts/${contactId}/consent`, {
        options: { signal },
      }),
    staleTime: 0,
  });
}

function useSetSuppressed(contactId: string) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const key = [subAccountId, 'contact', contactId];
  return useMutation({
    mutationFn: ({ channel, address, suppressed }: Address) =>
      consoleCalls(subAccountId).data<Consent>(
        'POST',
        `/api/v1/contacts/${contactId}/${suppressed === null ? 'suppress' : 'unsuppress'}`,
        { body: { channel, address } },
      ),
    async onSuccess(consent) {
      queries.setQueryData([...key, 'consent'], consent);
      await queries.invalidateQueries({ queryKey: key, exact: true });
    },
  });
}

/** What the contact may be sent, by channel and by address. */
export function ConsentPanel({ contact }: { readonly contact: Contact }) {
  const { data: consent, error, refetch } = useConsent(contact.id);
  if (consent === undefined) {
    return <NotLoaded error={error} onRetry={() => void refetch()} count={4} />;
  }
  return (
    <div className={styles.panel}>
      <Channels contactId={contact.id} dnd={consent.dnd} onChanged={() => void refetch()} />
      <Addresses contactId={contact.id} addresses={consent.addresses} />
    </div>
  );
}

interface ChannelsProps {
  readonly contactId: string;
  readonly dnd: Consent['dnd'];
  readonly onChanged: () => void;
}

function Channels({ contactId, dnd, onChanged }: ChannelsProps) {
  const { consent } = useMessages();
  const canWrite = usePlace().membership.role !== 'viewer';
  const update = useUpdateContact(contactId);
  const showError = useShowError();
  const isImplied = (channel: string) => channel !== 'all' && dnd['all'] === true;
  return (
    <section aria-labelledby="dnd-title">
      <h2 id="dnd-title">{consent.dnd}</h2>
      <p className={styles.text}>{consent.dndText}</p>
      <div className={styles.channels}>
        {Object.entries(consent.block).map(([channel, name]) => (
          <Switch
            key={channel}
            isDisabled={!canWrite || update.isPending || isImplied(channel)}
            isSelected={dnd[channel] === true || isImplied(channel)}
            onChange={(isOn) =>
              update.mutate(
                { dnd: { [channel]: isOn } },
                { onSettled: onChanged, onError: showError },
              )
            }
          >
            {name}
          </Switch>
        ))}
      </div>
    </section>
  );
}

interface AddressesProps {
  readonly contactId: string;
  readonly addresses: readonly Address[];
}

function Addresses({ contactId, addresses }: AddressesProps) {
  const { consent } = useMessages();
  const [allowing, setAllowing] = useState<Address>();
  const { mutate } = useSetSuppressed(contactId);
  const showError = useShowError();
  const set = (address: Address) => mutate(address, { onError: showError });
  return (
    <section aria-labelledby="addresses-title">
      <h2 id="addresses-title">{consent.addresses}</h2>
      <p className={styles.text}>{addresses.length === 0 ? consent.none : consent.addressesText}</p>
      <ul role="list" aria-labelledby="addresses-title">
        {addresses.map((one) => (
          <AddressRow
            key={`${one.channel} ${one.address}`}
            address={one}
            onPress={() => (one.suppressed === null ? set(one) : setAllowing(one))}
          />
        ))}
      </ul>
      {allowing && (
        <ConfirmDialog
          title={consent.allowTitle(allowing.address)}
          text={consent.allowText}
          confirm={consent.allow}
          isDangerous
          onClose={() => setAllowing(undefined)}
          onConfirm={() => set(allowing)}
        />
      )}
    </section>
  );
}

/** Members suppress an address; only admins allow it again. */
function AddressRow({
  address: { address, suppressed },
  onPress,
}: {
  readonly address: Address;
  readonly onPress: () => void;
}) {
  const { consent } = useMessages();
  const format = useFormat();
  const { role } = usePlace().membership;
  const isAdmin = useIsAdmin();
  const reasons: Readonly<Record<string, string>> = consent.reasons;
  const canChange = suppressed === null ? role !== 'viewer' : isAdmin;
  const name = suppressed === null ? consent.suppress : consent.allow;
  return (
    <li className={styles.address}>
      <span className={styles.value}>{address}</span>
      {suppressed === null ? (
        <Badge tone="good">{consent.allowed}</Badge>
      ) : (
        <Badge tone="bad">
          {consent.suppressed(
            reasons[suppressed.reason] ?? suppressed.reason,
            format.day(suppressed.createdAt),
          )}
        </Badge>
      )}
      {canChange && (
        <Button isSmall aria-label={`${name}: ${address}`} onPress={onPress}>
          {name}
        </Button>
      )}
    </li>
  );
}
