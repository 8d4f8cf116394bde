import { useMutation, useQueryClient } from '@tanstack/react-query';
import { consoleCalls } from '../api/client.ts';
import { SESSION_KEY } from '../api/query-client.ts';
import { usePlace } from '../api/session.ts';
import { scalePicture } from './scale-picture.ts';

function useRefetch() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: SESSION_KEY }),
      queries.invalidateQueries({ queryKey: [subAccountId, 'pictures'] }),
    ]);
}

/** Stores a picture of the signed-in user. Fails with PictureError for a file that is no picture. */
export const useSetPicture = () =>
  useMutation({
    mutationFn: async (file: File) =>
      consoleCalls().data<unknown>('PUT', '/api/picture', {
        body: { content: await scalePicture(file) },
      }),
    onSuccess: useRefetch(),
  });

export const useDeletePicture = () =>
  useMutation({
    mutationFn: () => consoleCalls().data<unknown>('DELETE', '/api/picture', {}),
    onSuccess: useRefetch(),
  });
