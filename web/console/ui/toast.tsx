import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { useMessages } from '../i18n/messages.tsx';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icons.tsx';
import { cx } from './cx.ts';
import styles from './toast.module.css';

interface ToastNotice {
  readonly text: string;
  readonly detail?: string | undefined;
  readonly isError?: boolean;
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

/** When the errors that are still open were shown, by the keys of their notices. */
const openErrors = new Map<string, number>();
const queue = new ToastQueue<ToastNotice>({ maxVisibleToasts: 3 });
/** Long enough to be read; a pointer or the focus on it stops the clock. */
const TIMEOUT_MS = 6_000;

/**
 * Shows a notice for some seconds. An error stays until it is dismissed, something succeeds, or another page
 * is opened.
 */
export const showToast = (notice: ToastNotice): void => {
  if (!notice.isError) {
    closeErrors();
    queue.add(notice, { timeout: TIMEOUT_MS });
    return;
  }
  const key: string = queue.add(notice, { onClose: () => openErrors.delete(key) });
  openErrors.set(key, performance.now());
};

/** Removes the errors. */
const closeErrors = (): void => [...openErrors.keys()].forEach((key) => queue.close(key));

/** Ends errors when another page is opened, and with Escape unless it closes something else. */
function useEndErrors(): void {
  const [path] = useLocation();
  useEffect(() => closeErrors, [path]);
  useEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector(OPEN)) {
        closeErrors();
      }
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

const OPEN = '[role=dialog], [role=menu]';

/** Removes all notices. */
export const clearToasts = (): void => queue.clear();

/**
 * Returns the function that removes the errors shown since its form appeared: when the form is
 * submitted again, they no longer matter.
 */
export function useClearErrors(): () => void {
  const [appearedAt] = useState(() => performance.now());
  return () => {
    for (const [key, shownAt] of openErrors) {
      if (shownAt >= appearedAt) {
        queue.close(key);
      }
    }
  };
}

/** Where notices appear; there is one on the page. */
export function Toasts() {
  const { common } = useMessages();
  useEndErrors();
  return (
    <ToastRegion queue={queue} className={cx(styles.region)} aria-label={common.notices}>
      {({ toast }) => (
        <AriaToast
          toast={toast}
          className={cx(styles.toast, toast.content.isError && styles.error)}
        >
          <Icon name={toast.content.isError ? 'warning' : 'check'} />
          <ToastContent className={cx(styles.content)}>
            <Text slot="title">{toast.content.text}</Text>
            {toast.content.detail && (
              <Text slot="description" className={cx(styles.detail)}>
                {toast.content.detail}
              </Text>
            )}
          </ToastContent>
          {toast.content.action && (
            <Button
              isSmall
              onPress={() => {
                toast.content.action?.onPress();
                queue.close(toast.key);
              }}
            >
              {toast.content.action.label}
            </Button>
          )}
          <IconButton icon="close" label={common.dismiss} isSmall slot="close" />
        </AriaToast>
      )}
    </ToastRegion>
  );
}
