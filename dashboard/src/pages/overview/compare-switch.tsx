import { Switch } from '@mantine/core';
import { useSearchParams } from 'wouter';

/** A parameter of the URL, so that the view can be shared. */
const COMPARED = 'compare';

export function useIsCompared(): boolean {
  const [search] = useSearchParams();
  return search.has(COMPARED);
}

/** Switches the comparison with as long a time before. */
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
