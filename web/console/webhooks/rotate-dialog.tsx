import { useState } from 'react';
import { useFormat } from '../i18n/format.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Note } from '../ui/note.tsx';
import { Select } from '../ui/select.tsx';
import { useHookMessages } from './hook-messages.ts';
import type { NewSecret } from './subscription-dialog.tsx';
import { useSubscriptionActions, type Subscription } from './webhook-queries.ts';

const HOUR_S = 3_600;
const DAY_S = 86_400;
const WEEK_S = 604_800;
/** How long the former secret may remain valid, in seconds; the server accepts up to a week. */
const GRACES = [0, HOUR_S, DAY_S, WEEK_S] as const;

interface RotateDialogProps {
  readonly subscription: Subscription;
  /** Shows the errors of a change. */
  readonly attempt: (make: () => Promise<unknown>) => void;
  readonly onClose: () => void;
  readonly onSecret: (secret: NewSecret) => void;
}

/** Asks how long the former secret remains valid, and replaces it. */
export function RotateDialog({ subscription, attempt, onClose, onSecret }: RotateDialogProps) {
  const { hooks } = useHookMessages();
  const format = useFormat();
  const { rotate } = useSubscriptionActions(subscription.id);
  const [grace, setGrace] = useState<(typeof GRACES)[number]>(DAY_S);
  const { previousSecretUntil } = subscription;
  const submit = () =>
    attempt(async () => {
      const { secret } = await rotate.mutateAsync(grace);
      onClose();
      if (secret !== undefined) {
        const until = grace === 0 ? null : new Date(Date.now() + grace * 1_000).toISOString();
        onSecret({ secret, formerUntil: until });
      }
    });
  return (
    <FormDialog
      title={hooks.rotate}
      submit={hooks.rotate}
      isOpen
      isPending={rotate.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>{hooks.rotateText}</p>
      <Select
        label={hooks.grace}
        value={String(grace)}
        options={GRACES.map((one) => ({ id: String(one), label: hooks.graces[one] }))}
        onChange={(to) => setGrace(GRACES.find((one) => String(one) === to) ?? DAY_S)}
      />
      {previousSecretUntil !== null && (
        <Note title={hooks.endsFormer(format.dayAndTime(previousSecretUntil))}>{null}</Note>
      )}
    </FormDialog>
  );
}
