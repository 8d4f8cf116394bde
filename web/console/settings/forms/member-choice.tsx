import { Checkbox } from '../../ui/switch.tsx';
import type { FieldInputProps } from './field-input.tsx';
import type { Entry } from './entry.ts';
import { sectionMessages } from './section-messages.ts';
import { useSection } from './section-queries.ts';
import styles from './forms.module.css';

/** A member as the manifest writes it: its key, or an object with hours of its own. */
const keyOfMember = (member: unknown): string =>
  typeof member === 'string' ? member : String((member as Entry)['member']);

/** The members of the team that a calendar has. Hours of their own, from the manifest, are kept. */
export function MemberChoice({ field, value, onChange, errorOf }: FieldInputProps) {
  const texts = sectionMessages();
  const { entries: team = [] } = useSection('team');
  const chosen = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const error = errorOf(field.path);
  const toggle = (key: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, key] : chosen.filter((member) => keyOfMember(member) !== key));
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{field.label}</legend>
      {team.length === 0 && <p className={styles.hint}>{texts.noTeam}</p>}
      {team.map((member) => {
        const key = String(member['key']);
        const own = chosen.find((one) => keyOfMember(one) === key);
        const hours = typeof own === 'object' ? ` (${texts.ownHours})` : '';
        return (
          <Checkbox
            key={key}
            isSelected={own !== undefined}
            onChange={(isChosen) => toggle(key, isChosen)}
          >
            {`${String(member['name'])}${hours}`}
          </Checkbox>
        );
      })}
      {team.length > 0 && chosen.length === 0 && <p className={styles.hint}>{texts.noMembers}</p>}
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
