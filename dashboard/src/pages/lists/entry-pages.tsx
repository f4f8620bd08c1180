import { Button, Group, Text } from '@mantine/core';
import { ENTRIES_A_PAGE } from '../../api/lists.ts';
import { formatCount } from '../../format/numbers.ts';

interface Props {
  /** Entries on all pages together. */
  readonly found: number;
  /** From 1 on. */
  readonly page: number;
  readonly onPage: (page: number) => void;
}

export const lastPageOf = (found: number) => Math.max(1, Math.ceil(found / ENTRIES_A_PAGE));

/** Which entries are shown, and the way to the others; nothing where they are all of one page. */
export function EntryPages({ found, page, onPage }: Props) {
  const last = lastPageOf(found);
  if (last === 1) return null;
  const first = (page - 1) * ENTRIES_A_PAGE + 1;
  const end = Math.min(page * ENTRIES_A_PAGE, found);
  return (
    <Group gap="sm" component="nav" aria-label="Pages of entries">
      <Button size="xs" variant="default" disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Text size="sm" role="status">
        {`${formatCount(first)} to ${formatCount(end)} of ${formatCount(found)}`}
      </Text>
      <Button size="xs" variant="default" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </Group>
  );
}
