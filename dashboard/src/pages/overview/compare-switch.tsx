import { Switch } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { useAddress } from '../../address.ts';

/** A parameter of the URL, so that the view can be shared. */
const COMPARED = 'compare';

export function useIsCompared(): boolean {
  const [search] = useSearchParams();
  return search.has(COMPARED);
}

/** Switches the comparison with as long a time before. */
export function CompareSwitch({ label }: { readonly label: string }) {
  const [, put] = useAddress();
  const isCompared = useIsCompared();
  return (
    <Switch
      size="xs"
      label={label}
      checked={isCompared}
      onChange={() => put({ [COMPARED]: isCompared ? null : 'before' })}
    />
  );
}
