import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** A mutation that ends once the queries under `keys` are read anew, also after a failure: they may have changed all the same. */
export function useChange<Input, Output>(
  keys: readonly QueryKey[],
  change: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: (_output, error) => {
      const read = Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
      // Where the service does not answer, the error does not wait for more of the same.
      return error instanceof ApiError && error.isRetryable ? undefined : read;
    },
  });
}
