import {
  CalendarDateTime,
  fromDate,
  toCalendarDate,
  type CalendarDate,
} from '@internationalized/date';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Opportunity } from '../../../sdk/src/generated/opportunities.ts';
import type { Pipeline } from '../../../sdk/src/generated/pipelines.ts';
import { useCanWrite, usePlace } from '../api/session.ts';
import { ContactField } from '../contacts/contact-field.tsx';
import { useMessages } from '../i18n/messages.tsx';
import { AssigneeField } from '../inbox/assignee-field.tsx';
import { useDeleteRecord } from '../shell/use-delete-record.ts';
import { DateField } from '../ui/date-field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { Select } from '../ui/select.tsx';
import { showToast } from '../ui/toast.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import { useSaveDeal } from './opportunity-queries.ts';

/** Of the currencies with the smallest units, such as the dinar. */
const MONEY_DIGITS = 3;

interface DealDialogProps {
  readonly pipeline: Pipeline;
  /** The deal to change; undefined for a new one. */
  readonly deal?: Opportunity | undefined;
  /** The contact of a new deal, to begin with. */
  readonly contactId?: string;
  readonly onClose: () => void;
}

/** Creates a deal of a pipeline, or changes one. */
export function DealDialog(props: DealDialogProps) {
  const { pipeline, deal, onClose } = props;
  const { opportunities, deals, contacts, tasks, common } = useMessages();
  const canWrite = useCanWrite();
  const { values, set, submit, isPending } = useDealForm(props);
  const { name, contactId, value, stageId, assignedTo, close } = values;
  const deletionOf = useDeleteRecord('opportunities', onClose);
  return (
    <FormDialog
      title={deal ? opportunities.edit : opportunities.newDeal}
      submit={deal ? common.save : opportunities.newDeal}
      isOpen
      isPending={isPending}
      isDisabled={!canWrite}
      onClose={onClose}
      onSubmit={submit}
      deletion={deal && deletionOf(deal)}
    >
      <TextField
        label={contacts.name}
        autoFocus
        isRequired
        value={name}
        onChange={(text) => set({ name: text })}
      />
      <ContactField
        label={tasks.contact}
        value={contactId}
        onChange={(id) => set({ contactId: id })}
      />
      {deal && <Link href={`/contacts/${deal.contactId}`}>{contacts.details}</Link>}
      <NumberField
        label={deal ? `${deals.value} (${deal.currency})` : deals.value}
        minValue={0}
        maxFractionDigits={MONEY_DIGITS}
        value={value}
        onChange={(amount) => set({ value: amount })}
      />
      {!deal && (
        <Select
          label={contacts.stage}
          value={stageId}
          options={pipeline.stages.map(({ id, name: label }) => ({ id, label }))}
          onChange={(id) => set({ stageId: id })}
        />
      )}
      <DateField
        label={deals.expectedClose}
        value={close}
        onChange={(date) => set({ close: date })}
      />
      <AssigneeField value={assignedTo} onChange={(id) => set({ assignedTo: id })} />
    </FormDialog>
  );
}

interface DealValues {
  readonly name: string;
  readonly contactId: string | null;
  readonly value: number | null;
  readonly stageId: string;
  readonly assignedTo: string | null;
  readonly close: CalendarDate | null;
}

const valuesOf = (deal: Opportunity, zone: string): DealValues => ({
  name: deal.name,
  contactId: deal.contactId,
  value: deal.value,
  stageId: deal.stageId,
  assignedTo: deal.assignedTo,
  close: dayOf(deal.expectedCloseDate, zone),
});

const newValues = (
  { pipeline, contactId }: DealDialogProps,
  memberId: string | null,
): DealValues => ({
  name: '',
  contactId: contactId ?? null,
  value: null,
  stageId: pipeline.stages[0]?.id ?? '',
  assignedTo: memberId,
  close: null,
});

/** Returns the day of an instant, in epoch milliseconds, in a time zone. */
const dayOf = (at: number | null, zone: string): CalendarDate | null =>
  at === null ? null : toCalendarDate(fromDate(new Date(at), zone));

/** Returns noon, which is the same day for viewers in most time zones. */
const noonOf = ({ year, month, day }: CalendarDate, zone: string): number =>
  new CalendarDateTime(year, month, day, 12).toDate(zone).getTime();

/** The values of the form, and what saves them. */
function useDealForm(props: DealDialogProps) {
  const { pipeline, deal, onClose } = props;
  const { opportunities, common } = useMessages();
  const { memberId, timezone } = usePlace().membership;
  const onError = useShowError();
  const save = useSaveDeal(deal?.id);
  const [values, setValues] = useState(() =>
    deal ? valuesOf(deal, timezone) : newValues(props, memberId),
  );
  const submit = () => {
    const { name, contactId, value, stageId, assignedTo, close } = values;
    const before = dayOf(deal?.expectedCloseDate ?? null, timezone);
    const isSameDay = close !== null && before?.compare(close) === 0;
    const body = {
      name: name.trim(),
      contactId: contactId ?? '',
      value,
      assignedTo,
      ...(!isSameDay && { expectedCloseDate: close && noonOf(close, timezone) }),
    };
    save.mutate(deal ? body : { ...body, pipelineId: pipeline.id, stageId }, {
      onSuccess() {
        showToast({ text: deal ? common.saved : opportunities.created, detail: name });
        onClose();
      },
      onError,
    });
  };
  return {
    values,
    set: (part: Partial<DealValues>) => setValues((before) => ({ ...before, ...part })),
    submit,
    isPending: save.isPending,
  };
}
