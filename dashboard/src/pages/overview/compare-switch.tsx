import { Switch } from '@mantine/core';
import { useSearchParams } from 'wouter';

/** In the address, so that what is seen can be sent to others. */
const COMPARED = 'compare';

export function useIsCompared(): boolean {
  const [search] = useSearchParams();
  return search.has(COMPARED);
}

/** Whether a chart shows as long a time before beside its own. */
export function CompareSwitch({ label }: { readonly label: string }) {
  const [, setSearch] = useSearchParams();
  const isCompared = useIsCompared();
  return (
    <Switch
      size="xs"
      label={label}
      checked={isCompared}
      onChange={() =>
        setSearch((current) => {
          const next = new URLSearchParams(current);
          if (isCompared) next.delete(COMPARED);
          else next.set(COMPARED, 'before');
          return next;
        })
      }
    />
  );
}
