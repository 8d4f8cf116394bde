import { ApiKey } from '../accounts/api-key.entity.ts';
import { SubAccount } from '../accounts/sub-account.entity.ts';
import { TeamMember } from '../accounts/team-member.entity.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { CustomField } from '../contacts/custom-field.entity.ts';
import { OptOut } from '../contacts/opt-out.entity.ts';

export const entities = [Contact, SubAccount, ApiKey, TeamMember, OptOut, CustomField];
