import { useMessages } from '../../i18n/messages.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './import.module.css';

interface ColumnChoiceProps {
  readonly header: readonly string[];
  /** The first rows of the file. */
  readonly rows: readonly (readonly string[])[];
  /** The contact's member of each column; '' leaves it out. */
  readonly columns: readonly string[];
  /** The labels of the fields, by name. */
  readonly labels: Readonly<Record<string, string>>;
  readonly onChange: (columns: string[]) => void;
}

/** Asks what each column of a file holds, beside its first values. */
export function ColumnChoice({ header, rows, columns, labels, onChange }: ColumnChoiceProps) {
  const { imports } = useMessages();
  return (
    <table aria-label={imports.columns} className={styles.columns}>
      <thead>
        <tr>
          <th scope="col">{imports.column}</th>
          <th scope="col">{imports.field}</th>
          <th scope="col" className={styles.values}>
            {imports.values}
          </th>
        </tr>
      </thead>
      <tbody>
        {header.map((title, index) => (
          // Columns have no other identity: two may have the same title.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <tr key={index}>
            <th scope="row">{title}</th>
            <td>
              <Select
                label={imports.fieldOf(title)}
                isLabelHidden
                value={columns[index] ?? ''}
                options={[
                  { id: '', label: imports.leaveOut },
                  ...Object.entries(labels)
                    .filter(([name]) => name === columns[index] || !columns.includes(name))
                    .map(([id, label]) => ({ id, label })),
                ]}
                onChange={(name) => onChange(columns.with(index, name))}
              />
            </td>
            <td className={styles.values}>
              {rows
                .map((row) => row[index] ?? '')
                .filter((value) => value !== '')
                .slice(0, 3)
                .join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
