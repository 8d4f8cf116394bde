import { useState } from 'react';
import type { Webhook } from '../../../sdk/src/generated/webhooks.ts';
import { isAboutFields, useFieldErrors } from '../contacts/new-contact-dialog.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { EventChoice, type ChosenEvents } from './event-choice.tsx';
import { useSaveSubscription } from './webhook-queries.ts';

interface SubscriptionDialogProps {
  /** Undefined for a new one. */
  readonly subscription: Webhook | undefined;
  readonly onClose: () => void;
  /** Called with the secret of a new subscription, which is shown once. */
  readonly onSecret: (secret: string) => void;
}

/** Creates a subscription, or changes its address and events. */
export function SubscriptionDialog({ subscription, onClose, onSecret }: SubscriptionDialogProps) {
  const { hooks, webhooks } = useMessages();
  const save = useSaveSubscription();
  const errorOf = useFieldErrors(save.error);
  const { attempt, dialog } = useAttempts();
  const [url, setUrl] = useState(subscription?.url ?? 'https://');
  const [events, setEvents] = useState((subscription?.events ?? ['*']) as ChosenEvents);
  const [description, setDescription] = useState(subscription?.description ?? '');
  const submit = () =>
    attempt(async () => {
      const body = {
        url: url.trim(),
        events,
        description: description.trim() || null,
      };
      try {
        const { secret } = await save.mutateAsync({ id: subscription?.id, body });
        onClose();
        if (secret !== undefined) {
          onSecret(secret);
        }
      } catch (error) {
        // A notice would repeat what the fields say, and cover the button.
        if (!isAboutFields(error, ['url', 'description'])) {
          throw error;
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
          onChange={setUrl}
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

interface SecretDialogProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows a new secret once. */
export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  const { hooks } = useMessages();
  const actions = (
    <Button look="primary" onPress={onClose}>
      {hooks.done}
    </Button>
  );
  return (
    <Dialog title={hooks.copySecret} isOpen onClose={onClose} actions={actions}>
      <p>{hooks.copySecretText}</p>
      <CopyField label={hooks.secret} value={secret} />
    </Dialog>
  );
}
