import styles from './keys.module.css';

/** The keys of a shortcut, such as `Ctrl K`, each as a key cap. */
export const Keys = ({ keys }: { readonly keys: string }) => (
  <span className={styles.keys} aria-hidden="true">
    {keys.split(' ').map((key) => (
      <kbd key={key} className={styles.key}>
        {key}
      </kbd>
    ))}
  </span>
);
