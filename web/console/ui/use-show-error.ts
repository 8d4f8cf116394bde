import { useErrorText } from './states.tsx';
import { showToast } from './toast.tsx';
import { isAboutFields } from './use-field-errors.ts';

/**
 * Returns the function that shows why a change was refused. Fields that show their own errors are
 * named: a notice would repeat these, and cover the button.
 */
export function useShowError(fields: readonly string[] = []): (error: unknown) => void {
  const describe = useErrorText();
  return (error) => {
    if (!isAboutFields(error, fields)) {
      const { title, detail } = describe(error);
      showToast({ text: title, detail, isError: true });
    }
  };
}
