import { useErrorText } from './states.tsx';
import { showToast } from './toast.tsx';

/** Returns the function that shows why a change was refused. */
export function useShowError(): (error: unknown) => void {
  const describe = useErrorText();
  return (error) => {
    const { title, detail } = describe(error);
    showToast({ text: title, detail, isError: true });
  };
}
