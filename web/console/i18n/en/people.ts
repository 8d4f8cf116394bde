import { pluralIn } from '../plural.ts';

const plural = pluralIn('en');

export const enPeople = {
  person: {
    actions: 'Actions for this person',
    export: 'Export everything',
    delete: 'Delete contact',
    deleteText:
      'The contact’s conversations and files are deleted, too. Upcoming appointments and open tasks are cancelled, and running workflows end. This cannot be undone.',
    erase: 'Erase person',
    erased: 'Person erased',
    eraseTitle: (name: string): string => `Erase ${name}?`,
    eraseText:
      'Messages, notes, form submissions and every other text about this person are erased in all tables. Past appointments and invoices stay without a name. Opt-outs stay in force. This cannot be undone.',
    typeName: (name: string): string => `Type “${name}” to confirm`,
    erasedText: 'Rows by table. Backups from before contain the person until they are deleted.',
    rows: (deleted: number, blanked: number, replaced: number): string =>
      [
        deleted > 0 && `${deleted} deleted`,
        blanked > 0 && `${blanked} blanked`,
        replaced > 0 && `${replaced} replaced`,
      ]
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
    rule: 'Code',
    record: 'Record',
    moment: 'Moment',
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
