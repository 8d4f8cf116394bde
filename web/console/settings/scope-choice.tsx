import { useId } from 'react';
import { SCOPES } from '../../../src/core/scope.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Checkbox } from '../ui/switch.tsx';
import { ownerMessages } from './owner-messages.ts';
import type { Scope } from './settings-queries.ts';
import styles from './settings.module.css';

interface ScopeChoiceProps {
  readonly chosen: ReadonlySet<Scope>;
  readonly onChange: (chosen: ReadonlySet<Scope>) => void;
}

type Resource = keyof ReturnType<typeof ownerMessages>['keys']['resources'];

const resourceOf = (scope: Scope): Resource => scope.split(':')[0] as Resource;
const RESOURCES = [...new Set(SCOPES.map(resourceOf))];

/** The scopes of a key, by what they are about. */
export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const { settings } = useMessages();
  const { resources } = ownerMessages().keys;
  const toggle = (scope: Scope, isChosen: boolean) => {
    const next = new Set(chosen);
    next[isChosen ? 'add' : 'delete'](scope);
    onChange(next);
  };
  return (
    <fieldset className={styles.scopes}>
      <legend className={styles.legend}>{settings.scopes}</legend>
      {RESOURCES.map((resource) => (
        <div key={resource}>
          <p className={styles.resourceName}>{resources[resource]}</p>
          {SCOPES.filter((scope) => resourceOf(scope) === resource).map((scope) => (
            <ScopeBox
              key={scope}
              scope={scope}
              isChosen={chosen.has(scope)}
              onChange={(isChosen) => toggle(scope, isChosen)}
            />
          ))}
        </div>
      ))}
    </fieldset>
  );
}

interface ScopeBoxProps {
  readonly scope: Scope;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

function ScopeBox({ scope, isChosen, onChange }: ScopeBoxProps) {
  const { authorize } = useMessages();
  const id = useId();
  return (
    <div>
      <Checkbox isSelected={isChosen} onChange={onChange} aria-describedby={id}>
        {scope}
      </Checkbox>
      <p id={id} className={styles.scopeText}>
        {authorize.scopeNames[scope]}
      </p>
    </div>
  );
}
