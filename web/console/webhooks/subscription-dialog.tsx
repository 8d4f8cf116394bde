import { useState } from 'react';
import type { Webhook } from '../../../sdk/src/generated/webhooks.ts';
import { isAboutFields, useFieldErrors } from '../ui/use-field-errors.ts';
import { useHookMessages } from './hook-messages.ts';
import { useFormat } from '../i18n/format.ts';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { EventChoice, type ChosenEvents } from './event-choice.tsx';
import { useSaveSubscription } from './webhook-queries.ts';
import styles from './webhooks.module.css';

interface SubscriptionDialogProps {
  /** Undefined for a new one. */
  readonly subscription: Webhook | undefined;
  readonly onClose: () => void;
  /** Called with the secret of a new subscription, which is shown once. */
  readonly onSecret: (secret: NewSecret) => void;
}

/** Creates a subscription, or changes its address and events. */
export function SubscriptionDialog({ subscription, onClose, onSecret }: SubscriptionDialogProps) {
  const { hooks, webhooks } = useHookMessages();
  const save = useSaveSubscription();
  const errorOf = useFieldErrors(save.error);
  const { attempt, dialog } = useAttempts();
  const [url, setUrl] = useState(subscription?.url ?? 'https://');
  const [events, setEvents] = useState((subscription?.events ?? ['*']) as ChosenEvents);
  const [description, setDescription] = useState(subscription?.description ?? '');
  const submit = () =>
    attempt(async () => {
      const body = { url: url.trim(), events, description: description.trim() || null };
      const saved = await unlessAboutFields(save.mutateAsync({ id: subscription?.id, body }));
      if (saved !== undefined) {
        onClose();
        if (saved.secret !== undefined) {
          onSecret({ secret: saved.secret });
        }
      }
    });
  return (
    <>
      <FormDialog
        title={subscription ? hooks.edit : hooks.create}
        submit={hooks.save}
        isOpen
        isWide
        isPending={save.isPending}
        isDisabled={events.length === 0}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextField
          label={webhooks.url}
          autoFocus
          isRequired
          value={url}
          onChange={(to) => {
            // What the server said was about the URL before.
            save.reset();
            setUrl(to);
          }}
          error={errorOf('url')}
        />
        <EventChoice chosen={events} onChange={setEvents} />
        <TextField
          label={hooks.description}
          value={description}
          onChange={setDescription}
          error={errorOf('description')}
        />
      </FormDialog>
      {dialog}
    </>
  );
}

/** Returns undefined for an error that the fields show: a notice would repeat it, and cover the button. */
async function unlessAboutFields<T>(saved: Promise<T>): Promise<T | undefined> {
  try {
    return await saved;
  } catch (error) {
    if (isAboutFields(error, ['url', 'description'])) {
      return undefined;
    }
    throw error;
  }
}

/** A secret that is shown once. */
export interface NewSecret {
  readonly secret: string;
  /** Of a rotated secret: until when the former one is valid; null if it is not. */
  readonly formerUntil?: string | null;
}

interface SecretDialogProps extends NewSecret {
  readonly onClose: () => void;
}

/** Shows a new secret once, and until when the former one is valid. */
export function SecretDialog({ secret, formerUntil, onClose }: SecretDialogProps) {
  const { hooks } = useHookMessages();
  const format = useFormat();
  const actions = (
    <Button look="primary" onPress={onClose}>
      {hooks.done}
    </Button>
  );
  return (
    <Dialog title={hooks.copySecret} isOpen isWide onClose={onClose} actions={actions}>
      <p>{hooks.copySecretText}</p>
      <CopyField label={hooks.secret} value={secret} />
      {formerUntil !== undefined && (
        <p className={styles.afterField}>
          {formerUntil === null
            ? hooks.formerEnded
            : hooks.signedWithBoth(format.dayAndTime(formerUntil))}
        </p>
      )}
    </Dialog>
  );
}
