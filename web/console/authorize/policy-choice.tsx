import { useMessages } from '../i18n/messages.tsx';
import { Select } from '../ui/select.tsx';
import { DECISIONS, RISKS, type Policy } from './authorize-queries.ts';
import styles from './authorize.module.css';

interface PolicyChoiceProps {
  readonly legend: string;
  readonly policy: Policy;
  readonly onChange: (policy: Policy) => void;
}

/** What an agent may do, must ask for, and never does. */
export function PolicyChoice({ legend, policy, onChange }: PolicyChoiceProps) {
  const { authorize } = useMessages();
  const options = DECISIONS.map((id) => ({ id, label: authorize.decisions[id] }));
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.policy}>
        {RISKS.map((risk) => (
          <Select
            key={risk}
            label={authorize.risks[risk]}
            value={policy[risk]}
            options={options}
            onChange={(decision) => onChange({ ...policy, [risk]: decision })}
          />
        ))}
      </div>
    </fieldset>
  );
}
