import { cx } from './cx.ts';
import styles from './avatar.module.css';

const TINTS = 6;

interface AvatarProps {
  readonly name: string;
  /** The address of a picture. */
  readonly picture?: string | null;
  readonly isSmall?: boolean;
}

/** A picture, or the initials of a name on a colour that belongs to the name. */
export function Avatar({ name, picture = null, isSmall = false }: AvatarProps) {
  if (picture !== null) {
    return <img alt="" src={picture} className={cx(styles.avatar, isSmall && styles.small)} />;
  }
  const tint =
    Array.from(name).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TINTS;
  return (
    <span
      aria-hidden="true"
      className={cx(styles.avatar, styles[`tint${tint}`], isSmall && styles.small)}
    >
      {initialsOf(name)}
    </span>
  );
}

/** Returns the first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word = '') => Array.from(word)[0] ?? '')
    .join('')
    .toUpperCase();
}
