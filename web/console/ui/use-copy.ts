import { useMessages } from '../i18n/messages.tsx';
import { showToast } from './toast.tsx';

/** Returns what copies a text, and says so. Browsers may refuse it, and insecure pages always. */
export function useCopy(): (text: string) => void {
  const { settings } = useMessages();
  return (text) => {
    const refused = () => showToast({ text: settings.notCopied, isError: true });
    if ('clipboard' in navigator) {
      void navigator.clipboard
        .writeText(text)
        .then(() => showToast({ text: settings.copied }), refused);
    } else {
      refused();
    }
  };
}
