import { Note } from '../ui/note.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import type { UnknownField } from './campaign-queries.ts';
import styles from './compose.module.css';

/** A warning about misspelt merge fields, and what recipients see instead; nothing if all are known. */
export function UnknownFields({ fields }: { readonly fields: readonly UnknownField[] }) {
  const { compose } = useCampaignMessages();
  const textOf = useUnknownFieldText();
  return (
    fields.length > 0 && (
      <Note title={compose.unknownFields}>
        <ul role="list" className={styles.unknownFields}>
          {fields.map((field) => (
            <li key={field.source}>{textOf(field)}</li>
          ))}
        </ul>
      </Note>
    )
  );
}

/** Returns the function that says what becomes of an unknown merge field. */
export function useUnknownFieldText(): (field: UnknownField) => string {
  const { compose } = useCampaignMessages();
  return ({ source, fallback }) =>
    fallback === '' ? compose.emptyField(source) : compose.fallbackField(source, fallback);
}
