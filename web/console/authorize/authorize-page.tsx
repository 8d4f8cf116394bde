import { useEffect, useState, type ReactNode } from 'react';
import type { Membership, Session } from '../api/console-types.ts';
import { PlaceContext } from '../api/session.ts';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import { useMessages } from '../i18n/messages.tsx';
import { PageFallback } from '../shell/page.tsx';
import { defaultMembership } from '../shell/sub-account-path.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { ErrorState } from '../ui/states.tsx';
import { useProgramRequest, type ProgramRequest } from './authorize-queries.ts';
import { ConsentForm, type ChosenPlace } from './consent-form.tsx';
import styles from './authorize.module.css';

/** Where a signed-in user decides about the access of a program (OAuth). */
export function AuthorizePage({ session }: { readonly session: Session }) {
  const { authorize } = useMessages();
  const parameters = new URLSearchParams(location.search);
  const request = parameters.get('request');
  const isUnchecked = request === null && parameters.has('client_id');
  useEffect(() => {
    document.title = `${authorize.pageTitle} · Frontdesk`;
    if (isUnchecked) {
      // The visitor had to sign in first: the server checks the request now.
      location.replace(`/oauth/authorize${location.search}`);
    }
  }, [authorize.pageTitle, isUnchecked]);
  if (isUnchecked) {
    return <PageFallback />;
  }
  return (
    <main className={styles.page}>
      {request === null ? (
        <Message title={authorize.notAsked} text={authorize.notAskedText} />
      ) : (
        <Decision session={session} request={request} />
      )}
    </main>
  );
}

const Message = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <div className={styles.card}>
    <h1 className={styles.title}>{title}</h1>
    <p className={styles.text}>{text}</p>
  </div>
);

interface DecisionProps {
  readonly session: Session;
  readonly request: string;
}

function Decision({ session, request }: DecisionProps) {
  const { authorize } = useMessages();
  const { data: program, error, refetch } = useProgramRequest(request);
  const [isDone, setDone] = useState(false);
  if (program === undefined) {
    return error === null ? <PageFallback /> : <Refused error={error} onRetry={refetch} />;
  }
  if (isDone) {
    return (
      <p role="status" className={styles.done}>
        <Icon name="check" /> {authorize.done}
      </p>
    );
  }
  const leave = (address: string) => {
    setDone(true);
    // A program on this device opens itself, and this page stays.
    location.assign(address);
  };
  const admin = session.memberships.filter(({ role }) => role === 'owner' || role === 'admin');
  return (
    <div className={styles.card}>
      <ProgramHeader program={program} />
      {admin.length === 0 ? (
        <NoAdmin onBack={() => leave(program.denyUrl)} />
      ) : (
        <InPlace session={session} memberships={admin}>
          {(place) => (
            <ConsentForm
              place={place}
              memberships={admin}
              program={program}
              request={request}
              onLeave={leave}
            />
          )}
        </InPlace>
      )}
    </div>
  );
}

interface InPlaceProps {
  readonly session: Session;
  readonly memberships: readonly Membership[];
  readonly children: (place: ChosenPlace) => ReactNode;
}

function InPlace({ session, memberships, children }: InPlaceProps) {
  const [id, choose] = useState(
    () => defaultMembership({ ...session, memberships })?.subAccountId ?? '',
  );
  const membership = memberships.find(({ subAccountId }) => subAccountId === id) ?? memberships[0];
  if (membership === undefined) {
    return null;
  }
  const { email } = session.user;
  return (
    <PlaceContext value={{ session, membership }}>
      {children({ membership, choose, email })}
    </PlaceContext>
  );
}

/** The name is the program's own claim; the hosts are what can be relied on. */
function ProgramHeader({ program }: { readonly program: ProgramRequest }) {
  const { authorize } = useMessages();
  const { client, redirect } = program;
  const warning = redirect.isLocal
    ? authorize.localWarning
    : redirect.isForeign && authorize.foreignWarning(redirect.host);
  return (
    <>
      <div className={styles.brand} aria-hidden="true">
        <Icon name="key" size={20} />
      </div>
      <h1 className={styles.title}>{authorize.title(client.name)}</h1>
      <p className={styles.text}>
        {authorize.from(client.host)}
        {!redirect.isForeign && ` ${authorize.sentTo(redirect.host)}`}
      </p>
      {warning && (
        <p className={styles.warning}>
          <Icon name="warning" /> <span>{warning}</span>
        </p>
      )}
    </>
  );
}

function NoAdmin({ onBack }: { readonly onBack: () => void }) {
  const { authorize } = useMessages();
  return (
    <>
      <p className={styles.strong}>{authorize.noAdmin}</p>
      <p className={styles.text}>{authorize.noAdminText}</p>
      <Button onPress={onBack}>{authorize.back}</Button>
    </>
  );
}

interface RefusedProps {
  readonly error: Error;
  readonly onRetry: () => unknown;
}

function Refused({ error, onRetry }: RefusedProps) {
  const { authorize } = useMessages();
  const isExpired =
    error instanceof FrontdeskError && error.details?.['reason'] === 'request_expired';
  return isExpired ? (
    <Message title={authorize.expired} text={authorize.expiredText} />
  ) : (
    <ErrorState error={error} onRetry={() => void onRetry()} />
  );
}
