import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { Checkbox } from '../ui/switch.tsx';
import { showToast } from '../ui/toast.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { ScopePresets } from './scope-presets.tsx';
import type { KeyWithValue, NewKey, Scope } from './settings-queries.ts';

const LIFETIMES = ['never', '30', '90', '365'] as const;
type Lifetime = (typeof LIFETIMES)[number];
const DAY_MS = 86_400_000;

const expiryOf = (lifetime: Lifetime): string | null =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();

interface NewKeyDialogProps {
  readonly create: {
    readonly isPending: boolean;
    readonly mutateAsync: (body: NewKey) => Promise<KeyWithValue>;
  };
  /** Whether the key can be for sandboxes instead. */
  readonly canBeSandbox?: boolean;
  readonly onClose: () => void;
  readonly onCreated: (value: string | undefined) => void;
}

/** Creates a key with the chosen scopes. */
export function NewKeyDialog({ create, canBeSandbox, onClose, onCreated }: NewKeyDialogProps) {
  const { agency, settings } = useMessages();
  const { attempt, dialog } = useAttempts();
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('never');
  const [sandbox, setSandbox] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set());
  const submit = () => {
    if (chosen.size === 0) {
      showToast({ text: settings.noScopes, isError: true });
      return;
    }
    attempt(async () => {
      const expiresAt = expiryOf(lifetime);
      const { key } = await create.mutateAsync({
        name: name.trim(),
        scopes: [...chosen],
        expiresAt,
        ...(sandbox && { sandbox }),
      });
      onClose();
      onCreated(key);
    });
  };
  return (
    <>
      <FormDialog
        title={settings.newKey}
        submit={settings.create}
        isOpen
        isWide
        isPending={create.isPending}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextField label={settings.name} autoFocus isRequired value={name} onChange={setName} />
        <Select
          label={settings.expires}
          value={lifetime}
          options={LIFETIMES.map((id) => ({
            id,
            label: id === 'never' ? settings.never : settings.inDays(Number(id)),
          }))}
          onChange={setLifetime}
        />
        {canBeSandbox && (
          <Checkbox isSelected={sandbox} onChange={setSandbox}>
            {agency.sandboxKey}
          </Checkbox>
        )}
        <ScopePresets chosen={chosen} onChange={setChosen} />
        <ScopeChoice chosen={chosen} onChange={setChosen} />
      </FormDialog>
      {dialog}
    </>
  );
}
