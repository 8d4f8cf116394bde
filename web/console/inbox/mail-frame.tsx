import { useCallback, useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { fillMailFrame, type FilledFrame } from './fill-mail-frame.ts';
import styles from './mail-frame.module.css';

/**
 * The HTML of a mail in a frame that runs no scripts and submits no forms. `allow-same-origin` lets
 * this page write into the frame; without `allow-scripts` nothing in the frame can use it.
 */
export function MailFrame({ html }: { readonly html: string }) {
  const { thread } = useMessages();
  const [{ height, isCut }, setFilled] = useState<FilledFrame>({ height: 120, isCut: false });
  const fill = useCallback(
    (frame: HTMLIFrameElement | null) => {
      if (frame === null) {
        return undefined;
      }
      const write = () => setFilled(fillMailFrame(frame, html));
      write();
      frame.addEventListener('load', write);
      return () => frame.removeEventListener('load', write);
    },
    [html],
  );
  return (
    <>
      <iframe
        ref={fill}
        title={thread.mailFrame}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        className={styles.frame}
        style={{ height }}
      />
      {isCut && <p className={styles.cut}>{thread.mailCut}</p>}
    </>
  );
}
