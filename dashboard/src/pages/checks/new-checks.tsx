import { Button, Group } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useNewerChecks } from '../../api/checks.ts';
import type { Range } from '../../format/ranges.ts';
import type { Scope } from '../../scope.ts';
import type { CheckFilters } from './check-filters.ts';

interface Props {
  readonly scope: Scope;
  readonly filters: CheckFilters;
  readonly range: Range | null;
  /** The cursor of the newest check that is shown. */
  readonly place: string;
  readonly onShow: () => unknown;
}

/** Says how many checks of this search have come since it was made; the table stays as it is until they are asked for. */
export function NewChecks({ scope, filters, range, place, onShow }: Props) {
  const { data } = useNewerChecks(scope, filters, range, place);
  const count = data?.checks.length ?? 0;
  return (
    <Group justify="center" role="status">
      {count > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowUp size={14} aria-hidden />}
          onClick={() => onShow()}
        >
          {data?.next === null ? `${count} new` : `More than ${count} new`}
        </Button>
      )}
    </Group>
  );
}
