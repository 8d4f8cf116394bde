import { now, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useShowError } from '../ui/use-show-error.ts';
import { useFormat } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DateTimeField } from '../ui/date-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { clearToasts, showToast } from '../ui/toast.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { AudienceSummary } from './audience-summary.tsx';
import { usePreview, type Campaign } from './campaign-queries.ts';
import { useAudience, useLists, useStartCampaign, useTestMail } from './compose-queries.ts';
import { MailPreview } from './mail-preview.tsx';
import { UnknownFields, useUnknownFieldText } from './unknown-fields.tsx';
import styles from './compose.module.css';

/** The audience of a campaign that has not started, and the ways to start it. */
export function StartPanel({ campaign }: { readonly campaign: Campaign }) {
  const { id, listId, status, scheduledAt } = campaign;
  const { compose } = useCampaignMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { data: lists } = useLists();
  const { data: mail } = usePreview(id);
  const [asking, setAsking] = useState<'send' | 'schedule'>();
  const close = () => setAsking(undefined);
  return (
    <section aria-label={compose.audience} className={styles.panel}>
      <h2>
        {compose.list}: {lists?.find((list) => list.id === listId)?.name}
      </h2>
      {status === 'scheduled' && scheduledAt !== null && (
        <p>{compose.scheduledFor(`${format.dayAndTime(scheduledAt)} (${timezone})`)}</p>
      )}
      <AudienceSummary listId={listId} />
      <div className={styles.actions}>
        <TestMailButton id={id} />
        {status === 'draft' && (
          <Button onPress={() => setAsking('schedule')}>{compose.schedule}</Button>
        )}
        <Button look="primary" onPress={() => setAsking('send')}>
          {compose.sendNow}
        </Button>
      </div>
      <p className={styles.note}>{compose.opens}</p>
      {mail && <MailPreview mail={mail} />}
      {asking === 'send' && <SendDialog campaign={campaign} onClose={close} />}
      {asking === 'schedule' && <ScheduleDialog id={id} onClose={close} />}
    </section>
  );
}

function TestMailButton({ id }: { readonly id: string }) {
  const { compose } = useCampaignMessages();
  const showError = useShowError();
  const textOf = useUnknownFieldText();
  const test = useTestMail(id);
  const { sentTo = '', captured } = test.data ?? {};
  const send = () =>
    test.mutate(undefined, {
      onSuccess: ({ sentTo: to, captured: mail, unknownFields }) =>
        mail === null &&
        showToast({ text: compose.testSent(to), detail: unknownFields.map(textOf).join(' ') }),
      onError: showError,
    });
  return (
    <>
      <Button isPending={test.isPending} onPress={send}>
        {compose.test}
      </Button>
      {captured && (
        <Dialog title={compose.capturedTitle} isOpen isWide onClose={test.reset}>
          <p>{compose.capturedText(sentTo)}</p>
          <MailPreview mail={captured} />
        </Dialog>
      )}
    </>
  );
}

interface SendDialogProps {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}

/** Names the number of mails before they are sent. */
function SendDialog({ campaign: { id, name, listId }, onClose }: SendDialogProps) {
  const { compose } = useCampaignMessages();
  const showError = useShowError();
  const format = useFormat();
  const start = useStartCampaign(id);
  const { sandbox } = usePlace().membership;
  const { mails = 0, contacts = 0 } = useAudience(listId).data ?? {};
  const send = () =>
    start.mutate(undefined, {
      onSuccess() {
        // "Draft saved" is no longer what matters.
        clearToasts();
        showToast({ text: compose.started });
      },
      onError: showError,
    });
  const text = [
    compose.gets(mails),
    ...(contacts > mails ? [compose.isLeftOut(contacts - mails, format.number(contacts))] : []),
    sandbox ? compose.sandboxHint : compose.noRecall,
  ].join(' ');
  return (
    <ConfirmDialog
      title={compose.sendTitle(name)}
      text={text}
      confirm={compose.sendMails(mails)}
      onClose={onClose}
      onConfirm={send}
    >
      <UnknownFieldsOf id={id} />
    </ConfirmDialog>
  );
}

/** Warns of the unknown merge fields of a campaign. */
const UnknownFieldsOf = ({ id }: { readonly id: string }) => (
  <UnknownFields fields={usePreview(id).data?.unknownFields ?? []} />
);

interface ScheduleDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

function ScheduleDialog({ id, onClose }: ScheduleDialogProps) {
  const { compose } = useCampaignMessages();
  const showError = useShowError();
  const start = useStartCampaign(id);
  const { timezone: zone } = usePlace().membership;
  const earliest = now(zone);
  const [at, setAt] = useState<ZonedDateTime | null>(
    earliest.add({ days: 1 }).set({ hour: 9, minute: 0, second: 0, millisecond: 0 }),
  );
  const schedule = () => {
    if (at === null) {
      return;
    }
    start.mutate(at.toDate().getTime(), {
      onSuccess() {
        showToast({ text: compose.isScheduled });
        onClose();
      },
      onError: showError,
    });
  };
  return (
    <FormDialog
      title={compose.schedule}
      submit={compose.schedule}
      isOpen
      isPending={start.isPending}
      onClose={onClose}
      onSubmit={schedule}
    >
      <DateTimeField label={compose.sendAt} value={at} onChange={setAt} minValue={earliest} />
      <p>{compose.scheduleText(zone)}</p>
      <UnknownFieldsOf id={id} />
    </FormDialog>
  );
}
