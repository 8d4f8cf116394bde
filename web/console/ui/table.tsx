import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from './cx.ts';
import { Checkbox } from './switch.tsx';
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

/** Wide enough for a day and a time in every language. */
export const TIME_WIDTH = '13rem';
/** The least widths of columns without a width of their own: the first one, and the others. */
const LEAST = ['11rem', '8.5rem'] as const;
const LEAST_ON_PHONE = ['9rem', '5rem'] as const;
/** Of the boxes that select rows. */
const SELECTION_WIDTH = '2.75rem';

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly TableColumn<T>[];
  readonly rows: readonly T[];
  /** The page of a record; the whole row leads to it. */
  readonly hrefOf?: (row: T) => string;
  /** Shown instead of rows. */
  readonly empty: ReactNode;
  /** Rows get a box to tick. */
  readonly selection?: TableSelection<T>;
}

export interface TableSelection<T> {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  /** The accessible name of a row's box, such as "Select Ada Lovelace". */
  readonly labelOf: (row: T) => string;
  readonly allLabel: string;
}

/** A table of records. The first column names the record and links to its page. */
export const Table = <T extends { readonly id: string }>(props: TableProps<T>) => (
  <>
    <table
      aria-label={props.label}
      className={styles.table}
      style={leastWidths(props.columns, props.selection ? [SELECTION_WIDTH] : [])}
    >
      <thead>
        <tr>
          {props.selection && <SelectAll rows={props.rows} selection={props.selection} />}
          {props.columns.map((column) => (
            <th
              key={column.id}
              scope="col"
              className={cx(styles.column, classOf(column))}
              style={widthOf(column)}
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

/** A share of the table applies where all columns are shown: on a phone, few of them share it. */
const widthOf = ({ width }: Pick<TableColumn<never>, 'width'>): CSSProperties =>
  width?.endsWith('%') ? ({ '--share': width } as CSSProperties) : { width };

type Width = Pick<TableColumn<never>, 'width' | 'isSecondary'>;

/** Returns the widths below which a table scrolls sideways, so that no column disappears. */
const leastWidths = (columns: readonly Width[], others: readonly string[]) =>
  ({
    '--least-width': sumOf(columns, LEAST, others),
    '--least-on-phone': sumOf(
      columns.filter(({ isSecondary }) => !isSecondary),
      LEAST_ON_PHONE,
      others,
    ),
  }) as CSSProperties;

function sumOf(
  columns: readonly Width[],
  [first, other]: readonly [string, string],
  others: readonly string[],
): string {
  const widths = columns.map(({ width = '%' }, at) => {
    const least = at === 0 ? first : other;
    return width.endsWith('%') ? least : width;
  });
  return `calc(${[...others, ...widths].join(' + ')})`;
}

interface SelectAllProps<T> {
  readonly rows: readonly T[];
  readonly selection: TableSelection<T>;
}

function SelectAll<T extends { readonly id: string }>({ rows, selection }: SelectAllProps<T>) {
  const { ids, onChange, allLabel } = selection;
  const isAll = rows.length > 0 && rows.every(({ id }) => ids.has(id));
  return (
    <td className={cx(styles.column, styles.box)}>
      <Checkbox
        aria-label={allLabel}
        isSelected={isAll}
        isIndeterminate={!isAll && ids.size > 0}
        onChange={(isOn) => onChange(new Set(isOn ? rows.map(({ id }) => id) : []))}
      />
    </td>
  );
}

function SelectRow<T extends { readonly id: string }>({
  row,
  selection: { ids, onChange, labelOf },
}: {
  readonly row: T;
  readonly selection: TableSelection<T>;
}) {
  const toggle = (isOn: boolean) => {
    const next = new Set(ids);
    if (isOn) {
      next.add(row.id);
    } else {
      next.delete(row.id);
    }
    onChange(next);
  };
  return (
    <td className={cx(styles.cell, styles.box)}>
      <Checkbox aria-label={labelOf(row)} isSelected={ids.has(row.id)} onChange={toggle} />
    </td>
  );
}

function TableRow<T extends { readonly id: string }>({
  row,
  columns,
  hrefOf,
  selection,
}: { readonly row: T } & Pick<TableProps<T>, 'columns' | 'hrefOf' | 'selection'>) {
  const [first, ...others] = columns;
  return (
    <tr
      className={cx(
        styles.row,
        hrefOf && styles.opens,
        selection?.ids.has(row.id) && styles.selected,
      )}
    >
      {selection && <SelectRow row={row} selection={selection} />}
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
