import { pluralIn } from '../plural.ts';

const plural = pluralIn('en');

export const enPeople = {
  person: {
    actions: 'Actions for this person',
    export: 'Export everything',
    delete: 'Delete contact',
    deleteText:
      'Conversations and files of the contact are deleted, upcoming appointments and open tasks are cancelled, and running workflows end. This cannot be undone. Past appointments, opportunities and opt-outs stay. If the person asks you to erase their data, choose “Erase person” instead.',
    erase: 'Erase person',
    erased: 'Person erased',
    eraseTitle: (name: string): string => `Erase ${name}?`,
    eraseText:
      'Everything written by or about this person is erased: messages, notes, form answers and contact details. Past appointments and invoices stay without a name. Opt-outs stay in force. This cannot be undone.',
    typeName: (name: string): string => `Type “${name}” to confirm`,
    erasedText:
      'The number of rows in each table. Events and texts about others that mention the person are erased within the next minutes. Earlier backups still contain this person, until you delete those backups.',
    rows: (deleted: number, blanked: number): string =>
      [deleted > 0 && `${deleted} deleted`, blanked > 0 && `${blanked} blanked`]
        .filter(Boolean)
        .join(', '),
    shared: (count: number): string =>
      plural(count, {
        one: '# address also belongs to another contact and stays there.',
        other: '# addresses also belong to another contact and stay there.',
      }),
  },
  why: {
    ask: 'Why?',
    rule: 'Reason code',
    record: 'Record',
    moment: 'Time',
    code: 'Server code',
    records: {
      appointment: 'Appointment',
      calendar: 'Calendar',
      campaign: 'Campaign',
      contact: 'Contact',
      conversation: 'Conversation',
      delivery: 'Delivery',
      event: 'Event',
      list: 'List',
      message: 'Message',
      opt_out: 'Opt-out',
      recipient: 'Recipient',
      run: 'Run',
      webhook: 'Webhook',
      workflow: 'Workflow',
    },
  },
  agenda: {
    contact: 'Open contact',
    confirmation: 'Confirmation',
    reminders: 'Reminders',
    month: 'Month',
    agenda: 'Agenda',
    empty: 'No appointments in these days',
    more: (n: number): string => `${n} more`,
  },
};
