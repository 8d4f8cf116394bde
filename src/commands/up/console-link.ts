import type { Actor, Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { INVITATION_MS, inviteUser } from '../../accounts/users/invite-user.ts';
import { issueLink, linkOf, type IssuedLink } from '../../accounts/sign-in/issue-link.ts';
import { User } from '../../accounts/users/user.entity.ts';
import type { Service } from '../server/open-service.ts';

/** The owner that `up` creates in an installation without users. */
const FIRST_OWNER = 'owner@localhost';

/** The address of the console, and a link that signs an owner in. */
export interface ConsoleLink {
  readonly url: string;
  /** Null if every owner is disabled. */
  readonly link: string | null;
}

interface ConsoleLinkInput {
  readonly service: Pick<Service, 'transact'>;
  readonly actor: Actor;
  readonly baseUrl: string;
  /** The sub-account that the link opens; by default the first one. */
  readonly subAccountId: string | undefined;
}

/** Returns a fresh sign-in link of the oldest owner; creates an owner if there is no user. */
export async function consoleLink(input: ConsoleLinkInput): Promise<ConsoleLink> {
  const { service, actor, baseUrl, subAccountId } = input;
  const issued = await service.transact(AGENCY, actor, (work) => ownerLink(work, subAccountId));
  return { url: `${baseUrl}/console`, link: issued ? linkOf(baseUrl, issued.token) : null };
}

async function ownerLink(work: Work, opens: string | undefined): Promise<IssuedLink | undefined> {
  const { em } = work;
  if ((await em.count(User)) === 0) {
    return inviteUser(work, { email: FIRST_OWNER, role: 'owner', opens });
  }
  const [owner] = await em.find(
    User,
    { isOwner: true, disabledAt: null },
    { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 1 },
  );
  return owner && issueLink(work, owner.id, INVITATION_MS, { opens });
}
