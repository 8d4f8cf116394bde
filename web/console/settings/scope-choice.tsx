import { SCOPES } from '../../../src/core/scope.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Checkbox } from '../ui/switch.tsx';
import type { Scope } from './settings-queries.ts';
import styles from './settings.module.css';

interface ScopeChoiceProps {
  readonly chosen: ReadonlySet<Scope>;
  readonly onChange: (chosen: ReadonlySet<Scope>) => void;
}

/** The scopes of a key, as a list of checkboxes. */
export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const { settings } = useMessages();
  const toggle = (scope: Scope, isChosen: boolean) => {
    const next = new Set(chosen);
    next[isChosen ? 'add' : 'delete'](scope);
    onChange(next);
  };
  return (
    <fieldset className={styles.scopes}>
      <legend className={styles.legend}>{settings.scopes}</legend>
      {SCOPES.map((scope) => (
        <Checkbox
          key={scope}
          isSelected={chosen.has(scope)}
          onChange={(isChosen) => toggle(scope, isChosen)}
        >
          {scope}
        </Checkbox>
      ))}
    </fieldset>
  );
}
