import { Alert, Code, Group, List, Text } from '@mantine/core';
import type { NamedList } from '../../api/lists.ts';
import { formatCount, formatCounted } from '../../format/numbers.ts';
import { formatDay } from '../../format/times.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { Readers } from './named-lists.tsx';

/** What a named list is for, whom to ask, which rules look into it, and what lint says of it. */
export function NamedListHead({ list }: { readonly list: NamedList }) {
  const { file, description, owner, entries, next_end, expiring_soon, expired, warnings } = list;
  const facts = [
    formatCounted(entries, 'entry', 'entries'),
    owner !== null && `owner: ${owner}`,
    next_end !== null && `the next ends on ${formatDay(next_end)}`,
    expiring_soon > 0 && `${formatCount(expiring_soon)} within thirty days`,
    expired > 0 && `${formatCount(expired)} over`,
  ].filter((fact) => fact !== false);
  return (
    <>
      <div>
        {description !== null && <Text style={{ overflowWrap: 'anywhere' }}>{description}</Text>}
        <Dimmed size="sm">
          <Code>{file}</Code>
          {` · ${facts.join(' · ')}`}
        </Dimmed>
        <Group gap="xs" mt={4}>
          <Text size="sm">Read by</Text>
          <Readers list={list} />
        </Group>
      </div>
      {warnings.length > 0 && (
        <Alert color="yellow" title="What lint says of it">
          <List size="sm">
            {warnings.map(({ line, code, message, hint }) => (
              <List.Item key={`${line} ${code} ${message}`} style={{ overflowWrap: 'anywhere' }}>
                {`Line ${line}: ${message}${hint === null ? '' : ` (did you mean ${hint}?)`}`}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}
