import { useState } from 'react';
import { splitLinks } from '../../chat/split-links.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import styles from './message.module.css';

/** Characters that are shown at first: browsers take minutes for some texts of a megabyte. */
const SHOWN_MAX = 20_000;

/** Text with links; nothing in it is markup. */
export function MessageText({ text }: { readonly text: string }) {
  const { thread } = useMessages();
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN_MAX;
  return (
    <>
      <p className={styles.text} dir="auto">
        {splitLinks(isCut ? beginningOf(text) : text).map((piece, index) =>
          piece.href === undefined ? (
            piece.text
          ) : (
            // eslint-disable-next-line react/no-array-index-key -- pieces of one text never move
            <a key={index} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
              {piece.text}
            </a>
          ),
        )}
      </p>
      {isCut && (
        <Button look="ghost" isSmall onPress={() => setWhole(true)}>
          {thread.showWhole}
        </Button>
      )}
    </>
  );
}

/** Half of a pair would be shown as another character. */
const beginningOf = (text: string): string =>
  `${text.slice(0, SHOWN_MAX).replace(/[\ud800-\udbff]$/, '')}…`;
