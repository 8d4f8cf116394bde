import { useFormat } from '../i18n/format.ts';

/** A date of birth, or a custom field of the type date. */
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the function that writes a date in the user's notation, and leaves other texts as they are. */
export function useDateText(): (text: string) => string {
  const { dayOfYear } = useFormat('UTC');
  return (text) => (DATE.test(text) ? dayOfYear(`${text}T00:00Z`) : text);
}
