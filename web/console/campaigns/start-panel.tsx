import { now, parseAbsolute, type ZonedDateTime } from '@internationalized/date';
import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useShowError } from '../ui/use-show-error.ts';
import { useFormat } from '../i18n/format.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { DateTimeField } from '../ui/date-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { clearToasts, showToast } from '../ui/toast.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { AudienceSummary } from './audience-summary.tsx';
import {
  usePreview,
  type Campaign,
  type PreviewChoice,
  type PreviewedMail,
} from './campaign-queries.ts';
import { useAudience, useLists, useStartCampaign, useTestMail } from './compose-queries.ts';
import { ListWords } from './list-words.tsx';
import { MailPreview } from './mail-preview.tsx';
import { PreviewAs } from './preview-as.tsx';
import { UnknownFields, useUnknownFieldText } from './unknown-fields.tsx';
import styles from './compose.module.css';

/** The audience of a campaign that has not started, and the ways to start it. */
export function StartPanel({ campaign }: { readonly campaign: Campaign }) {
  const { id, listId, status, scheduledAt } = campaign;
  const { compose } = useCampaignMessages();
  const [choice, setChoice] = useState<PreviewChoice>({});
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  const { data: lists } = useLists();
  const { data: mail } = usePreview(id, choice);
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
      <ListWords list={lists?.find((list) => list.id === listId)} />
      <AudienceSummary listId={listId} />
      <div className={styles.actions}>
        {mail && <TestMailButton id={id} contact={mail.contact} choice={choice} />}
        {isSchedulable(campaign) && (
          <Button onPress={() => setAsking('schedule')}>
            {status === 'draft' ? compose.schedule : compose.reschedule}
          </Button>
        )}
        <Button look="primary" onPress={() => setAsking('send')}>
          {compose.sendNow}
        </Button>
      </div>
      <p className={styles.note}>{compose.opens}</p>
      {mail && (
        <>
          <PreviewAs listId={listId} contact={mail.contact} choice={choice} onChange={setChoice} />
          <MailPreview mail={mail} />
        </>
      )}
      {asking === 'send' && <SendDialog campaign={campaign} onClose={close} />}
      {asking === 'schedule' && <ScheduleDialog campaign={campaign} onClose={close} />}
    </section>
  );
}

/** A run of a recurring campaign keeps its time. */
const isSchedulable = ({ status, recurring }: Campaign): boolean =>
  status === 'draft' || (status === 'scheduled' && recurring === null);

interface TestMailButtonProps {
  readonly id: string;
  readonly contact: PreviewedMail['contact'];
  readonly choice: PreviewChoice;
}

/** Names the recipient of a test mail, and the contact that it is merged for, before it is sent. */
function TestMailButton({ id, contact, choice }: TestMailButtonProps) {
  const { compose } = useCampaignMessages();
  const place = usePlace();
  const [isAsking, setAsking] = useState(false);
  const showError = useShowError();
  const textOf = useUnknownFieldText();
  const { sandbox } = place.membership;
  const test = useTestMail(id);
  const { sentTo = '', captured } = test.data ?? {};
  const send = () =>
    test.mutate(contact.contactId === null ? choice : { contactId: contact.contactId }, {
      onSuccess: ({ sentTo: to, captured: mail, unknownFields }) =>
        mail === null &&
        showToast({ text: compose.testSent(to), detail: unknownFields.map(textOf).join(' ') }),
      onError: showError,
    });
  return (
    <>
      <Button isPending={test.isPending} onPress={() => setAsking(true)}>
        {compose.test}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={compose.test}
          text={`${sandbox ? compose.testSandbox : compose.testTo(place.session.user.email)} ${compose.testAs(nameOf(contact))}`}
          confirm={sandbox ? compose.showMail : compose.test}
          onClose={() => setAsking(false)}
          onConfirm={send}
        />
      )}
      {captured && (
        <Dialog title={compose.capturedTitle} isOpen isWide onClose={test.reset}>
          <p>{compose.capturedText(sentTo)}</p>
          <MailPreview mail={captured} />
        </Dialog>
      )}
    </>
  );
}

const nameOf = ({ name, email }: PreviewedMail['contact']): string => name || (email ?? '');

interface SendDialogProps {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}

/** Names the number of mails before they are sent. */
function SendDialog({ campaign, onClose }: SendDialogProps) {
  const { id, name, listId } = campaign;
  const { compose } = useCampaignMessages();
  const showError = useShowError();
  const format = useFormat();
  const start = useStartCampaign(campaign);
  const { sandbox } = usePlace().membership;
  const { data: audience, error } = useAudience(listId);
  const send = () =>
    start.mutate(undefined, {
      onSuccess() {
        // "Draft saved" is no longer what matters.
        clearToasts();
        showToast({ text: compose.started });
      },
      onError: showError,
    });
  if (audience === undefined) {
    return (
      <Dialog title={compose.sendTitle(name)} isOpen onClose={onClose}>
        {error ? <ErrorState error={error} /> : <SkeletonRows count={2} />}
      </Dialog>
    );
  }
  const { mails, contacts } = audience;
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

/** Schedules a draft, or moves a scheduled campaign to another time. */
function ScheduleDialog({ campaign, onClose }: SendDialogProps) {
  const { id, status, scheduledAt } = campaign;
  const { compose } = useCampaignMessages();
  const showError = useShowError();
  const start = useStartCampaign(campaign);
  const { timezone: zone } = usePlace().membership;
  const earliest = now(zone);
  // The dialog closes after the page is read again, and keeps its name until then.
  const [isMove] = useState(status === 'scheduled');
  const [at, setAt] = useState<ZonedDateTime | null>(
    isMove && scheduledAt !== null
      ? parseAbsolute(scheduledAt, zone)
      : earliest.add({ days: 1 }).set({ hour: 9, minute: 0, second: 0, millisecond: 0 }),
  );
  const name = isMove ? compose.reschedule : compose.schedule;
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
      title={name}
      submit={name}
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
