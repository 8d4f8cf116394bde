import { useState } from 'react';
import { MailFrame } from '../inbox/mail-frame.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import type { PreviewedMail } from './campaign-queries.ts';
import { UnknownFields } from './unknown-fields.tsx';
import styles from './compose.module.css';

/** A mail as it looks on a desktop, on a phone and without HTML. */
export function MailPreview({ mail }: { readonly mail: PreviewedMail }) {
  const { subject, preheader, html, text, unknownFields } = mail;
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
      <UnknownFields fields={unknownFields} />
      <p className={styles.subject}>
        <span>{campaigns.subject}:</span> <strong>{subject}</strong>
      </p>
      {preheader !== null && (
        <p className={styles.subject}>
          <span>
            {compose.preheader}: {preheader}
          </span>
        </p>
      )}
      <Tabs label={campaigns.preview} items={items} selected={shown} onSelect={setShown} />
    </>
  );
}
