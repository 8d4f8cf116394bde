import { FileTrigger } from 'react-aria-components/FileTrigger';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { useDeletePicture, useSetPicture } from './change-picture.ts';
import { PictureError } from './scale-picture.ts';
import styles from './picture-dialog.module.css';

const ACCEPTED = ['image/png', 'image/jpeg', 'image/webp'];

/** The user's picture, which is shown beside their replies. */
export function PictureDialog({ onClose }: { readonly onClose: () => void }) {
  const { settings, shell } = useMessages();
  const { user } = usePlace().session;
  const save = useSetPicture();
  const remove = useDeletePicture();
  const describe = useErrorText();
  const onError = (error: unknown) => {
    const { title, detail } = describe(error);
    const text = error instanceof PictureError ? shell.pictureWrong : title;
    showToast({ text, ...(detail !== undefined && { detail }), isError: true });
  };
  const choose = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) {
      save.mutate(file, { onError, onSuccess: () => showToast({ text: shell.pictureSaved }) });
    }
  };
  const actions = (
    <>
      {user.pictureUrl !== null && (
        <Button
          isPending={remove.isPending}
          onPress={() =>
            remove.mutate(undefined, {
              onError,
              onSuccess: () => showToast({ text: shell.pictureDeleted }),
            })
          }
        >
          {shell.deletePicture}
        </Button>
      )}
      <Button look="primary" onPress={onClose}>
        {settings.done}
      </Button>
    </>
  );
  return (
    <Dialog title={shell.picture} isOpen onClose={onClose} actions={actions}>
      <div className={styles.picture}>
        <span className={styles.preview}>
          <Avatar name={user.name ?? user.email} picture={user.pictureUrl} />
        </span>
        <div className={styles.choice}>
          <p>{shell.pictureText}</p>
          <FileTrigger acceptedFileTypes={ACCEPTED} onSelect={choose}>
            <Button isPending={save.isPending}>{shell.choosePicture}</Button>
          </FileTrigger>
        </div>
      </div>
    </Dialog>
  );
}
