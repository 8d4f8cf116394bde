import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { ROLES, type Role } from '#core/role.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import type { View, Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { disableUser, enableUser, endSessions } from '../../accounts/sign-in/end-sessions.ts';
import { inviteUser } from '../../accounts/users/invite-user.ts';
import { issueLink, linkOf, LINK_MS } from '../../accounts/sign-in/issue-link.ts';
import { setRole } from '../../accounts/users/set-role.ts';
import type { User } from '../../accounts/users/user.entity.ts';
import { findUser, findUsers, loadUser, type UserRow } from '../../accounts/users/user.store.ts';
import type { AdminContext } from '../open-admin.ts';
import { existing, liveSubAccount, readEmail, readName } from './answers.ts';

const emailOption = {
  flag: '--email <email>',
  help: 'email address of the user',
  label: 'Email',
  required: true,
  parse: readEmail,
} as const;

function readRole(given: string): Role {
  const role = ROLES.find((one) => one === given);
  if (!role) {
    throw new UsageFault(
      `unknown role "${given}"; allowed: ${ROLES.join(', ')}${didYouMean(given, ROLES)}`,
    );
  }
  return role;
}

const invite = defineCommand<AdminContext>()({
  path: 'admin user invite',
  summary: 'Give a person access to the console and print their sign-in link',
  options: {
    email: { ...emailOption, help: 'email address of the person' },
    name: { flag: '--name <name>', help: 'name of the person', parse: readName },
    role: {
      flag: '--role <role>',
      help: 'owner (the whole installation), admin, agent, viewer or integrator (webhooks only)',
      required: true,
      ask: 'select',
      choices: ROLES,
      parse: readRole,
    },
    subAccount: {
      flag: '--sub-account <sub>',
      help: 'ID of the sub-account; not for an owner',
    },
  },
  examples: [
    'frontdesk admin user invite --email ada@example.com --role owner',
    'frontdesk admin user invite --email grace@example.com --role agent --sub-account 0198c0de-…',
  ],
  context: 'service',
  async run(context, { email, name, role, subAccount }) {
    const { transact, actor, baseUrl } = context;
    const subAccountId = await subAccountFor(context, role, subAccount);
    const { user, token, expiresAt } = await transact(subAccountId ?? AGENCY, actor, (work) =>
      inviteUser(work, { email, name, role }),
    );
    const link = linkOf(baseUrl, token);
    const about = { id: user.id, email: user.email, role, subAccountId };
    return {
      json: { ...about, link, expiresAt: expiresAt.toISOString() },
      text: linkText(`invited ${user.email} as ${role}`, link, 'once, within 24 hours'),
    };
  },
});

/** Returns the sub-account of a role; null for an owner. */
async function subAccountFor(
  context: AdminContext,
  role: Role,
  subAccount: string | undefined,
): Promise<string | null> {
  if (role === 'owner') {
    if (subAccount !== undefined) {
      throw new UsageFault(
        'an owner has the whole installation: leave out --sub-account, or use --role admin',
      );
    }
    return null;
  }
  if (subAccount === undefined) {
    throw new UsageFault(`pass --sub-account <sub>: ${role} is a role in a sub-account`);
  }
  return (await liveSubAccount(context, subAccount)).id;
}

const link = defineCommand<AdminContext>()({
  path: 'admin user link',
  summary: 'Print a new sign-in link for a user',
  options: { email: emailOption },
  examples: ['frontdesk admin user link --email ada@example.com'],
  context: 'service',
  async run({ transact, actor, baseUrl, ...context }, { email }) {
    const row = await knownUser(context.openView(AGENCY, context.clock()), email);
    if (row.status === 'disabled') {
      throw new UsageFault(
        `${row.email} is disabled; run frontdesk admin user enable --email ${row.email} first`,
      );
    }
    const issued = await transact(AGENCY, actor, async (work) => {
      const user = await loadUser(work, email);
      work.audit(user.id);
      return issueLink(work, user.id, LINK_MS);
    });
    const address = linkOf(baseUrl, issued.token);
    return {
      json: { link: address, expiresAt: issued.expiresAt.toISOString() },
      text: linkText(`sign-in link of ${row.email}`, address, 'once, within 15 minutes'),
    };
  },
});

const list = defineCommand<AdminContext>()({
  path: 'admin user list',
  summary: 'List users with their roles',
  options: {
    subAccount: { flag: '--sub-account <sub>', help: 'only users with access to this sub-account' },
  },
  examples: ['frontdesk admin user list', 'frontdesk admin user list --sub-account 0198c0de-…'],
  context: 'service',
  async run(context, { subAccount }) {
    const id = subAccount === undefined ? undefined : await liveSubAccount(context, subAccount);
    const rows = await findUsers(context.openView(AGENCY, context.clock()), id?.id);
    const table = rows.map(({ email, name, status, isOwner, memberships, lastSignInAt }) => {
      const roles = memberships.map(({ role }) => role).join(', ');
      return { email, name, status, roles: isOwner ? 'owner' : roles, lastSignInAt };
    });
    return { json: rows, table };
  },
});

const role = defineCommand<AdminContext>()({
  path: 'admin user role',
  summary: 'Change the role of a user in a sub-account, or of an owner',
  options: {
    email: emailOption,
    subAccount: {
      flag: '--sub-account <sub>',
      help: 'ID of the sub-account; leave it out to make the user an owner, or no longer one',
    },
    role: {
      flag: '--role <role>',
      help: 'admin, agent, viewer, integrator, or none; without --sub-account: owner or none',
      required: true,
      ask: 'select',
      choices: [...ROLES, 'none'],
      parse: (given: string) => (given === 'none' ? null : readRole(given)),
    },
  },
  examples: [
    'frontdesk admin user role --email ada@example.com --sub-account 0198c0de-… --role admin',
    'frontdesk admin user role --email ada@example.com --sub-account 0198c0de-… --role none',
    'frontdesk admin user role --email ada@example.com --role owner',
  ],
  context: 'service',
  async run(context, { email, subAccount, role: wanted }) {
    const isOfInstallation = subAccount === undefined && wanted === null;
    const subAccountId = isOfInstallation
      ? null
      : await subAccountFor(context, wanted ?? 'viewer', subAccount);
    const done = `${email} is ${wanted ?? 'no member'} now`;
    return changeUser(
      context,
      { email, subAccountId: subAccountId ?? AGENCY, done },
      (work, user) => setRole(work, user, wanted),
    );
  },
});

const disable = defineCommand<AdminContext>()({
  path: 'admin user disable',
  summary: 'Sign a user out everywhere and refuse every sign-in',
  options: { email: emailOption },
  examples: ['frontdesk admin user disable --email ada@example.com --yes'],
  confirm: ({ email }) => `Disable ${email}?`,
  context: 'service',
  run: (context, { email }) =>
    changeUser(context, { email, done: `disabled ${email}` }, disableUser),
});

const enable = defineCommand<AdminContext>()({
  path: 'admin user enable',
  summary: 'Let a disabled user sign in again',
  options: { email: emailOption },
  examples: ['frontdesk admin user enable --email ada@example.com'],
  context: 'service',
  run: (context, { email }) => changeUser(context, { email, done: `enabled ${email}` }, enableUser),
});

const signOut = defineCommand<AdminContext>()({
  path: 'admin user sign-out',
  summary: 'End all sessions of a user, and sign-in links that were not used yet',
  options: { email: emailOption },
  examples: ['frontdesk admin user sign-out --email ada@example.com'],
  context: 'service',
  run: (context, { email }) =>
    changeUser(context, { email, done: `signed ${email} out everywhere` }, (work, user) =>
      endSessions(work, user.id),
    ),
});

export const userCommands = [invite, link, list, role, disable, enable, signOut];

const knownUser = async (view: View, email: string): Promise<UserRow> =>
  existing(await findUser(view, email), 'user', email);

interface UserChange {
  readonly email: string;
  readonly subAccountId?: string;
  readonly done: string;
}

/** Changes a user, in a sub-account or for the installation, and returns the row. */
async function changeUser(
  { transact, actor, openView, clock }: AdminContext,
  { email, subAccountId = AGENCY, done }: UserChange,
  change: (work: Work, user: User) => unknown,
) {
  await knownUser(openView(AGENCY, clock()), email);
  const json = await transact(
    subAccountId,
    actor,
    async (work) => {
      const user = await loadUser(work, email);
      await change(work, user);
      work.audit(user.id);
    },
    (view) => knownUser(view, email),
  );
  return { json, text: done };
}

const linkText = (done: string, link: string, valid: string): string =>
  `${done}\n\n  ${link}\n\nThe link works ${valid}.`;
