import { useState } from 'react';
import type { Policy } from '../authorize/authorize-queries.ts';
import { PolicyChoice } from '../authorize/policy-choice.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { showToast } from '../ui/toast.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { useChangeKey, type ApiKey, type Scope } from './settings-queries.ts';

interface EditKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Changes the scopes, the rates and the policy for agents of a key. Its value stays. */
export function EditKeyDialog({ apiKey, onClose }: EditKeyDialogProps) {
  const { settings } = useMessages();
  const { attempt, dialog } = useAttempts();
  const change = useChangeKey();
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(apiKey.scopes));
  const [rateRead, setRateRead] = useState(apiKey.rateRead ?? '');
  const [rateWrite, setRateWrite] = useState(apiKey.rateWrite ?? '');
  const { tells, destroys, mass } = apiKey.agentPolicy;
  const [agentPolicy, setPolicy] = useState<Policy>({ tells, destroys, mass });
  const submit = () => {
    if (scopes.size === 0) {
      showToast({ text: settings.noScopes, isError: true });
      return;
    }
    attempt(async () => {
      await change.mutateAsync({
        id: apiKey.id,
        scopes: [...scopes],
        rateRead: rateRead.trim() || null,
        rateWrite: rateWrite.trim() || null,
        agentPolicy,
      });
      onClose();
      showToast({ text: settings.keyChanged, detail: apiKey.name });
    });
  };
  return (
    <>
      <FormDialog
        title={settings.editTitle(apiKey.name)}
        submit={settings.saveKey}
        isOpen
        isPending={change.isPending}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextField
          label={settings.rateRead}
          description={settings.rateText}
          value={rateRead}
          onChange={setRateRead}
        />
        <TextField label={settings.rateWrite} value={rateWrite} onChange={setRateWrite} />
        <PolicyChoice legend={settings.agentPolicy} policy={agentPolicy} onChange={setPolicy} />
        <ScopeChoice chosen={scopes} onChange={setScopes} />
      </FormDialog>
      {dialog}
    </>
  );
}
