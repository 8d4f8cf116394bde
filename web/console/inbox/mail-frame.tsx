import { useCallback, useEffect, useRef, useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { EMPTY_FRAME, fillMailFrame, type FilledFrame } from './fill-mail-frame.ts';
import { loadImages } from './load-images.ts';
import styles from './mail-frame.module.css';

interface MailFrameProps {
  readonly html: string;
  /** The path of the message in the API of the console; without one, no images are offered. */
  readonly path?: string;
}

/**
 * The HTML of a mail in a frame that runs no scripts and submits no forms. `allow-same-origin` lets
 * this page write into the frame; without `allow-scripts` nothing in the frame can use it.
 */
export function MailFrame({ html, path }: MailFrameProps) {
  const { thread } = useMessages();
  const shown = useRef<HTMLIFrameElement>(null);
  const [{ height, isCut, images }, setFilled] = useState<FilledFrame>(EMPTY_FRAME);
  const onHeight = useCallback(
    (needed: number) => setFilled((filled) => ({ ...filled, height: needed })),
    [],
  );
  const { isAsked, ask } = useImages({ shown, images, path, onHeight });
  const fill = useCallback(
    (frame: HTMLIFrameElement | null) => {
      shown.current = frame;
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
      {!isAsked && path !== undefined && images.some((address) => address !== undefined) && (
        <p className={styles.images}>
          {thread.imagesHint}
          <Button look="ghost" isSmall onPress={ask}>
            {thread.showImages}
          </Button>
        </p>
      )}
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

interface ImagesInput extends Pick<FilledFrame, 'images'> {
  readonly path: string | undefined;
  readonly shown: { readonly current: HTMLIFrameElement | null };
  readonly onHeight: (height: number) => void;
}

/** Loads the images on other servers once they are asked for: a sender would learn that the mail was read. */
function useImages({ shown, images, path, onHeight }: ImagesInput) {
  const { subAccountId } = usePlace().membership;
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    const frame = shown.current;
    if (!isAsked || frame === null || path === undefined) {
      return undefined;
    }
    const stop = new AbortController();
    const { signal } = stop;
    void loadImages({ frame, images, subAccountId, path, signal, onHeight });
    return () => stop.abort();
  }, [isAsked, shown, images, subAccountId, path, onHeight]);
  const ask = () => {
    setAsked(true);
    // The button goes away: the keyboard continues in the mail.
    shown.current?.focus();
  };
  return { isAsked, ask };
}
