import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from './cx.ts';
import styles from './table.module.css';

export interface TableColumn<T> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Columns of less importance are left out on narrow screens. */
  readonly isSecondary?: boolean;
  readonly isNumber?: boolean;
  /** Such as `7rem`; columns without one share the rest. */
  readonly width?: string;
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly TableColumn<T>[];
  readonly rows: readonly T[];
  /** The page of a record; the whole row leads to it. */
  readonly hrefOf?: (row: T) => string;
  /** Shown instead of rows. */
  readonly empty: ReactNode;
}

/** A table of records. The first column names the record and links to its page. */
export const Table = <T extends { readonly id: string }>(props: TableProps<T>) => (
  <>
    <table aria-label={props.label} className={styles.table}>
      <thead>
        <tr>
          {props.columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              className={cx(styles.column, classOf(column))}
              style={column.width === undefined ? {} : { width: column.width }}
            >
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map((row) => (
          <TableRow key={row.id} row={row} {...props} />
        ))}
      </tbody>
    </table>
    {props.rows.length === 0 && props.empty}
  </>
);

function TableRow<T>({
  row,
  columns,
  hrefOf,
}: { readonly row: T } & Pick<TableProps<T>, 'columns' | 'hrefOf'>) {
  const [first, ...others] = columns;
  return (
    <tr className={cx(styles.row, hrefOf && styles.opens)}>
      <th scope="row" className={styles.cell}>
        {hrefOf === undefined ? (
          first?.cell(row)
        ) : (
          <Link href={hrefOf(row)} className={styles.link}>
            {first?.cell(row)}
          </Link>
        )}
      </th>
      {others.map((column) => (
        <td key={column.id} className={cx(styles.cell, classOf(column))}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

const classOf = ({ isSecondary, isNumber }: Pick<TableColumn<never>, 'isSecondary' | 'isNumber'>) =>
  cx(isSecondary && styles.secondary, isNumber && styles.number);
