import { useState } from 'react';
import { Link } from 'wouter';
import type { WaitingPlace } from '../../../sdk/src/generated/waiting.ts';
import { usePlace } from '../api/session.ts';
import { useShowError } from '../ui/use-show-error.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge, Count } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAppointmentTypes } from './schedule-queries.ts';
import { useWaitingMessages } from './waiting-messages.ts';
import { useRemoveWaiting, useWaiting } from './waiting-queries.ts';
import styles from './waiting-list.module.css';

/** Opens the waiting list. It is there while customers wait, and says how many. */
export function WaitingButton() {
  const texts = useWaitingMessages();
  const { data = [] } = useWaiting();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {data.length > 0 && (
        <Button icon="clock" onPress={() => setOpen(true)}>
          {texts.title} <Count value={data.length} />
        </Button>
      )}
      {isOpen && <WaitingDialog places={data} onClose={() => setOpen(false)} />}
    </>
  );
}

interface WaitingDialogProps {
  readonly places: readonly WaitingPlace[];
  readonly onClose: () => void;
}

/** The waiting customers: their day, since when they wait, and until when a slot is held for them. */
function WaitingDialog({ places, onClose }: WaitingDialogProps) {
  const texts = useWaitingMessages();
  const [removed, setRemoved] = useState<WaitingPlace>();
  const nameOf = useName();
  const showError = useShowError();
  const { mutate } = useRemoveWaiting();
  if (removed) {
    const onSuccess = () => showToast({ text: texts.removed });
    return (
      <ConfirmDialog
        title={texts.removeName(nameOf(removed))}
        text={texts.removeText(nameOf(removed))}
        confirm={texts.remove}
        isDangerous
        onClose={() => setRemoved(undefined)}
        onConfirm={() => mutate(removed.id, { onSuccess, onError: showError })}
      />
    );
  }
  return (
    <Dialog title={texts.title} isOpen isWide onClose={onClose}>
      {places.length === 0 ? (
        <EmptyState icon="clock" title={texts.empty}>
          {texts.emptyText}
        </EmptyState>
      ) : (
        <ul className={styles.places}>
          {places.map((place) => (
            <Place
              key={place.id}
              place={place}
              name={nameOf(place)}
              onRemove={() => setRemoved(place)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface PlaceProps {
  readonly place: WaitingPlace;
  readonly name: string;
  readonly onRemove: () => void;
}

function Place({ place, name, onRemove }: PlaceProps) {
  const texts = useWaitingMessages();
  const { timezone, role } = usePlace().membership;
  const format = useFormat(timezone);
  const { day } = useFormat('UTC');
  const { data: types = [] } = useAppointmentTypes();
  const { contactId, appointmentTypeId, date, createdAt, offer } = place;
  const type = types.find(({ id }) => id === appointmentTypeId)?.name;
  return (
    <li className={styles.place}>
      <div>
        <Link href={`/contacts/${contactId}`}>{name}</Link>
        <p>
          {[type, texts.waits(day(date), format.dayAndTime(createdAt))].filter(Boolean).join(' · ')}
        </p>
        {offer && (
          <p>
            <Badge tone="accent">
              {texts.offered(format.time(offer.startTime), format.dayAndTime(offer.expiresAt))}
            </Badge>
          </p>
        )}
      </div>
      {role !== 'viewer' && (
        <Button isSmall aria-label={texts.removeName(name)} onPress={onRemove}>
          {texts.remove}
        </Button>
      )}
    </li>
  );
}

function useName(): (place: WaitingPlace) => string {
  const { common } = useMessages();
  return ({ contact: { firstName, lastName } }) =>
    [firstName, lastName].filter(Boolean).join(' ') || common.unnamed;
}
