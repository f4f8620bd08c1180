import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import { type ListedCheck, useNeighbour, type WholeCheck } from '../../api/checks.ts';
import { useScope } from '../../scope.ts';
import { AccountLink } from '../../ui/account-link.tsx';
import { chosenRange, readFilters } from '../checks/check-filters.ts';

/** Links to the next newer and older check of the search that led here, which the URL holds. */
export function Neighbours({ check }: { readonly check: WholeCheck }) {
  const [search] = useSearchParams();
  const scope = useScope();
  const asked = { scope, filters: readFilters(search), range: chosenRange(search), check };
  const newer = useNeighbour('newer', asked);
  const older = useNeighbour('older', asked);
  return (
    <>
      <Step to={newer.data} label="Newer" icon={<IconChevronLeft size={16} aria-hidden />} />
      <Step to={older.data} label="Older" icon={<IconChevronRight size={16} aria-hidden />} isAfter />
    </>
  );
}

interface StepProps {
  /** Null where there is none. */
  readonly to: ListedCheck | null | undefined;
  readonly label: string;
  readonly icon: React.ReactNode;
  readonly isAfter?: boolean;
}

function Step({ to, label, icon, isAfter = false }: StepProps) {
  const [search] = useSearchParams();
  const look = {
    size: 'xs',
    variant: 'default',
    ...(isAfter ? { rightSection: icon } : { leftSection: icon }),
  };
  if (!to) {
    return (
      <Button {...look} disabled>
        {label}
      </Button>
    );
  }
  return (
    <Button
      {...look}
      component={AccountLink}
      href={`/checks/${to.id}?${search}`}
      aria-label={`${label} check`}
    >
      {label}
    </Button>
  );
}
