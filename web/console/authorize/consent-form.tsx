import { useState } from 'react';
import type { Membership } from '../api/console-types.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { Checkbox } from '../ui/switch.tsx';
import { useAllow, type Policy, type ProgramRequest, type Scope } from './authorize-queries.ts';
import { PolicyChoice } from './policy-choice.tsx';
import styles from './authorize.module.css';

/** As for other keys. */
const DEFAULT_POLICY: Policy = { tells: 'allow', destroys: 'ask', mass: 'ask' };

/** The chosen sub-account, which the dialog for a recent sign-in needs, too. */
export interface ChosenPlace {
  readonly membership: Membership;
  readonly choose: (subAccountId: string) => void;
  readonly email: string;
}

/**
 * Not chosen at first: most programs ask for every scope there is. These mail many people, and send
 * data to other systems.
 */
const FAR_REACHING: ReadonlySet<Scope> = new Set(['campaigns:write', 'webhooks:manage']);

interface ConsentFormProps {
  readonly place: ChosenPlace;
  readonly memberships: readonly Membership[];
  readonly program: ProgramRequest;
  readonly request: string;
  readonly onLeave: (address: string) => void;
}

/** Where, what, and what must be asked about; then Allow or Deny. */
export function ConsentForm({ place, memberships, program, request, onLeave }: ConsentFormProps) {
  const { authorize } = useMessages();
  const { membership, choose, email } = place;
  const allow = useAllow(membership.subAccountId);
  const { attempt, dialog } = useAttempts();
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(
    () => new Set(program.scopes.filter((scope) => !FAR_REACHING.has(scope))),
  );
  const [agentPolicy, setPolicy] = useState(DEFAULT_POLICY);
  const submit = () =>
    attempt(async () => {
      const { redirectTo } = await allow.mutateAsync({ request, scopes: [...scopes], agentPolicy });
      onLeave(redirectTo);
    });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Select
        label={authorize.subAccount}
        value={membership.subAccountId}
        options={memberships.map(({ subAccountId, subAccountName }) => ({
          id: subAccountId,
          label: subAccountName,
        }))}
        onChange={choose}
      />
      <ScopeChoice asked={program.scopes} chosen={scopes} onChange={setScopes} />
      <PolicyChoice legend={authorize.policy} policy={agentPolicy} onChange={setPolicy} />
      <p className={styles.hint}>
        {authorize.signedInAs(email)} {authorize.revokeHint}
      </p>
      <div className={styles.actions}>
        <Button onPress={() => onLeave(program.denyUrl)}>{authorize.deny}</Button>
        <Button
          look="primary"
          type="submit"
          isPending={allow.isPending}
          isDisabled={scopes.size === 0}
        >
          {authorize.allow}
        </Button>
      </div>
      {scopes.size === 0 && (
        <p role="status" className={styles.hint}>
          {authorize.noScopes}
        </p>
      )}
      {dialog}
    </form>
  );
}

interface ScopeChoiceProps {
  readonly asked: readonly Scope[];
  readonly chosen: ReadonlySet<Scope>;
  readonly onChange: (chosen: ReadonlySet<Scope>) => void;
}

function ScopeChoice({ asked, chosen, onChange }: ScopeChoiceProps) {
  const { authorize } = useMessages();
  const toggle = (scope: Scope, isChosen: boolean) => {
    const next = new Set(chosen);
    next[isChosen ? 'add' : 'delete'](scope);
    onChange(next);
  };
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{authorize.scopes}</legend>
      {asked.map((scope) => (
        <Checkbox
          key={scope}
          isSelected={chosen.has(scope)}
          onChange={(isChosen) => toggle(scope, isChosen)}
        >
          {authorize.scopeNames[scope]}
        </Checkbox>
      ))}
    </fieldset>
  );
}
