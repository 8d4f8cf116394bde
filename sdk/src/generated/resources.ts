// Written by `node sdk/generate.ts` from the declarations in src/.
import type { Api } from '../api.ts';
import { appointments } from './appointments.ts';
import { booking } from './booking.ts';
import { calendars } from './calendars.ts';
import { campaigns } from './campaigns.ts';
import { chat } from './chat.ts';
import { contacts } from './contacts.ts';
import { conversations } from './conversations.ts';
import { events } from './events.ts';
import { forms } from './forms.ts';
import { me } from './me.ts';
import { opportunities } from './opportunities.ts';
import { pipelines } from './pipelines.ts';
import { publicBooking } from './public-booking.ts';
import { subAccounts } from './sub-accounts.ts';
import { submissions } from './submissions.ts';
import { tasks } from './tasks.ts';
import { team } from './team.ts';
import { waiting } from './waiting.ts';
import { webhooks } from './webhooks.ts';

/** What takes a key. */
export const keyedResources = (api: Api) => ({
  me: me(api),
  subAccounts: subAccounts(api),
  team: team(api),
  conversations: conversations(api),
  contacts: contacts(api),
  calendars: calendars(api),
  appointments: appointments(api),
  waiting: waiting(api),
  booking: booking(api),
  opportunities: opportunities(api),
  pipelines: pipelines(api),
  tasks: tasks(api),
  campaigns: campaigns(api),
  webhooks: webhooks(api),
  events: events(api),
  submissions: submissions(api),
});

/** What visitors may call. */
export const publicResources = (api: Api) => ({
  chat: chat(api),
  publicBooking: publicBooking(api),
  forms: forms(api),
});
