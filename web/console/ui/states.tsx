import type { ReactNode } from 'react';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { useMessages } from '../i18n/messages.tsx';
import { refusalText } from '../i18n/refusals.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icons.tsx';
import styles from './states.module.css';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What to do about it. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** What a list or a page shows when there is nothing to show. */
export const EmptyState = ({ icon, title, children, action }: EmptyStateProps) => (
  <div className={styles.state}>
    <span className={styles.icon}>
      <Icon name={icon} size={20} />
    </span>
    <p className={styles.title}>{title}</p>
    {children && <p className={styles.text}>{children}</p>}
    {action}
  </div>
);

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What failed, with the id of the request, by which the logs can be searched. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { errors, common } = useMessages();
  const { title, detail } = useErrorText()(error);
  const isForbidden = error instanceof FrontdeskError && error.status === 403;
  return (
    <div className={styles.state} role="alert">
      <span className={styles.icon}>
        <Icon name="warning" size={20} />
      </span>
      <p className={styles.title}>{title}</p>
      <p className={styles.text}>{detail ?? errors.unexpected}</p>
      {onRetry && !isForbidden && (
        <Button icon="retry" onPress={onRetry}>
          {common.retry}
        </Button>
      )}
    </div>
  );
}

/** Returns the function that describes an error in the user's language, and the server's words. */
export function useErrorText(): (error: unknown) => { title: string; detail: string | undefined } {
  const { errors } = useMessages();
  return (error) => {
    if (!(error instanceof FrontdeskError)) {
      return {
        title: errors.unexpected,
        detail: error instanceof Error ? error.message : undefined,
      };
    }
    const { code, status, message, requestId, details } = error;
    const id = requestId === undefined ? '' : ` ${errors.request(requestId)}`;
    if (code === 'CONNECTION_FAILED' || code === 'TIMEOUT') {
      return { title: errors.unreachable, detail: errors.tryAgain };
    }
    if (details?.['reason'] === 'prove_again') {
      return { title: errors.recentSignIn, detail: errors.recentSignInText };
    }
    if (status === 403) {
      return { title: errors.forbidden, detail: `${errors.forbiddenText}${id}` };
    }
    const words = isOfManifest(error) ? error.issues.map((one) => one.message).join('. ') : message;
    const detail = refusalText(error, errors.refusals) ?? `${words}.`;
    return { title: status === 404 ? errors.notFound : errors.failed, detail: `${detail}${id}` };
  };
}

/** The message of such an error has places in a text that a form has written: `manifest:1:125`. */
const isOfManifest = ({ issues }: FrontdeskError): boolean =>
  issues.length > 0 && issues.every((issue) => 'line' in issue);
