import type { Messages } from '../message-types.ts';
import { esAgency } from './agency.ts';
import { esAuthorize } from './authorize.ts';
import { esAutomation } from './automation.ts';
import { esCalendar } from './calendar.ts';
import { esCommon } from './common.ts';
import { esContactPages } from './contact-pages.ts';
import { esForms } from './forms.ts';
import { esInbox } from './inbox.ts';
import { esPeople } from './people.ts';
import { esRecords } from './records.ts';
import { esSettings } from './settings.ts';
import { esSetup } from './setup.ts';
import { esShell } from './shell.ts';

export const esMessages: Messages = {
  ...esCommon,
  ...esShell,
  ...esInbox,
  ...esRecords,
  ...esCalendar,
  ...esContactPages,
  ...esPeople,
  ...esSettings,
  ...esForms,
  ...esAuthorize,
  ...esAgency,
  ...esSetup,
  ...esAutomation,
};
