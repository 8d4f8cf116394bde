import { cx } from './cx.ts';
import styles from './skeleton.module.css';

/** A value that is being loaded, such as a cell of a table whose other cells are known. */
export const SkeletonText = () => <span aria-hidden="true" className={styles.text} />;

/** Rows in the size of what is being loaded, so that nothing moves when it arrives. */
export const SkeletonRows = ({
  count = 8,
  isTall = false,
}: {
  readonly count?: number;
  readonly isTall?: boolean;
}) => (
  <div aria-hidden="true" className={styles.rows}>
    {Array.from({ length: count }, (_, index) => (
      <div key={index} className={cx(styles.row, isTall && styles.tall)}>
        {isTall && <span className={styles.circle} />}
        <span className={styles.lines}>
          <span className={styles.line} />
          {isTall && <span className={cx(styles.line, styles.long)} />}
        </span>
      </div>
    ))}
  </div>
);
