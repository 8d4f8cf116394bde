import { useEffect, useState, useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { useSession } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { rememberPage, takePage } from '../shell/return-path.ts';
import { BASE } from '../shell/sub-account-path.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icons.tsx';
import { useErrorText } from '../ui/states.tsx';
import {
  useLinkSignIn,
  useMailSignIn,
  usePasskeySignIn,
  useSignInMethods,
} from './sign-in-queries.ts';
import styles from './sign-in.module.css';

const hashOf = (): string => location.hash.slice(1);

function onHashChange(notify: () => void): () => void {
  addEventListener('hashchange', notify);
  return () => removeEventListener('hashchange', notify);
}

/** Sign-in by mail, passkey, OpenID Connect, or the one-time link after `#` in the address. */
export function SignInPage() {
  const { signIn } = useMessages();
  const { data: session } = useSession();
  // A link that is opened in a tab with this page changes the hash alone, and loads nothing.
  const token = useSyncExternalStore(onHashChange, hashOf);
  const isHere = location.pathname === `${BASE}/sign-in`;
  useEffect(() => {
    document.title = `${signIn.title} · Frontdesk`;
    if (!isHere) {
      rememberPage();
    }
    if (isHere && session && token === '') {
      navigate(BASE, { replace: true });
    }
  }, [isHere, session, signIn.title, token]);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand} aria-hidden="true">
          <Icon name="chat" size={20} />
        </div>
        <h1 className={styles.title}>{signIn.title}</h1>
        <Refusal />
        {token === '' ? <Methods /> : <LinkSignIn key={token} token={token} />}
      </div>
    </main>
  );
}

/** Why a sign-in with OpenID Connect led back here. */
function Refusal() {
  const { signIn } = useMessages();
  const reason = new URLSearchParams(location.search).get('refused') ?? '';
  const texts: Readonly<Record<string, string>> = signIn.refusals;
  return Object.hasOwn(texts, reason) ? (
    <p className={styles.refusal} role="alert">
      {texts[reason]}
    </p>
  ) : null;
}

/** Opening a link does not sign in, as mail scanners open links. The button does. */
function LinkSignIn({ token }: { readonly token: string }) {
  const { signIn } = useMessages();
  const attempt = useLinkSignIn();
  if (attempt.isError) {
    return (
      <>
        <p className={styles.refusal} role="alert">
          {signIn.linkFailed}. {signIn.linkFailedText}
        </p>
        <Methods />
      </>
    );
  }
  const use = async () => {
    const { subAccountId } = await attempt.mutateAsync(token);
    // Without a sub-account, the start of the console leads to the remembered page.
    const page =
      subAccountId === null ? BASE : (takePage(subAccountId) ?? `${BASE}/${subAccountId}/inbox`);
    navigate(page, { replace: true });
  };
  return (
    <>
      <p className={styles.text}>{signIn.linkText}</p>
      <Button
        look="primary"
        isDisabled={attempt.isPending}
        onPress={() => void use().catch(() => undefined)}
      >
        {signIn.signIn}
      </Button>
    </>
  );
}

function Methods() {
  const { signIn } = useMessages();
  const { data: methods } = useSignInMethods();
  const passkey = usePasskeySignIn();
  const describe = useErrorText();
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) {
    return (
      <div role="status" className={styles.form}>
        {methods?.mail === false ? (
          <NoMail email={sentTo} />
        ) : (
          <>
            <p className={styles.strong}>{signIn.sentTitle}</p>
            <p className={styles.text}>{signIn.sentText(sentTo)}</p>
          </>
        )}
        <Button onPress={() => setSentTo(undefined)}>{signIn.otherEmail}</Button>
      </div>
    );
  }
  return (
    <>
      <MailForm hasMail={methods?.mail !== false} onSent={setSentTo} />
      <p className={styles.or}>{signIn.or}</p>
      <div className={styles.form}>
        <Button icon="key" isPending={passkey.isPending} onPress={() => passkey.mutate()}>
          {signIn.passkey}
        </Button>
        {passkey.isError && (
          <p className={styles.refusal} role="alert">
            {signIn.passkeyFailed}. {describe(passkey.error).detail}
          </p>
        )}
        {methods?.oidc === true && (
          <Button icon="globe" onPress={() => location.assign(`${BASE}/oidc/start`)}>
            {signIn.oidc}
          </Button>
        )}
      </div>
      {methods?.mail === false && <p className={styles.hint}>{signIn.noMailHint}</p>}
    </>
  );
}

/** The installation sends no mail: the person gets what an operator needs to know. */
function NoMail({ email }: { readonly email: string }) {
  const { signIn } = useMessages();
  return (
    <>
      <p className={styles.strong}>{signIn.noMailTitle}</p>
      <p className={styles.text}>{signIn.commandLine}</p>
      <p className={styles.text}>
        <code className={styles.command}>frontdesk admin user link --email {email}</code>
      </p>
      <p className={styles.text}>{signIn.localCommand}</p>
    </>
  );
}

interface MailFormProps {
  readonly hasMail: boolean;
  readonly onSent: (email: string) => void;
}

function MailForm({ hasMail, onSent }: MailFormProps) {
  const { signIn } = useMessages();
  const [email, setEmail] = useState('');
  const mail = useMailSignIn();
  const describe = useErrorText();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (hasMail) {
          mail.mutate(email, { onSuccess: () => onSent(email) });
        } else {
          onSent(email);
        }
      }}
    >
      <TextField
        label={signIn.email}
        type="email"
        name="email"
        autoComplete="username webauthn"
        isRequired
        value={email}
        onChange={setEmail}
      />
      <Button look="primary" type="submit" isPending={mail.isPending}>
        {signIn.sendLink}
      </Button>
      {mail.isError && (
        <p className={styles.refusal} role="alert">
          {describe(mail.error).title}. {describe(mail.error).detail}
        </p>
      )}
    </form>
  );
}
