import { useState } from 'react';
import { MailFrame } from '../inbox/mail-frame.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import styles from './compose.module.css';

interface MailPreviewProps {
  readonly mail: {
    readonly subject: string;
    readonly html: string;
    readonly text: string;
  };
}

/** A mail as it looks on a desktop, on a phone and without HTML. */
export function MailPreview({ mail: { subject, html, text } }: MailPreviewProps) {
  const { campaigns, compose } = useCampaignMessages();
  const [shown, setShown] = useState('desktop');
  const items = [
    { id: 'desktop', label: compose.desktop, content: <MailFrame html={html} /> },
    {
      id: 'phone',
      label: compose.phone,
      content: (
        <div className={styles.phone}>
          <MailFrame html={html} />
        </div>
      ),
    },
    {
      id: 'text',
      label: compose.plainText,
      content: (
        <pre className={styles.text} tabIndex={0} role="region" aria-label={compose.plainText}>
          {text}
        </pre>
      ),
    },
  ];
  return (
    <>
      <p className={styles.subject}>
        <span>{campaigns.subject}:</span> <strong>{subject}</strong>
      </p>
      <Tabs label={campaigns.preview} items={items} selected={shown} onSelect={setShown} />
    </>
  );
}
