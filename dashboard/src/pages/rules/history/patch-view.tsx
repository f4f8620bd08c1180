import { Badge, Group, List, Stack, Text } from '@mantine/core';
import { Dimmed } from '../../../ui/dimmed.tsx';
import type { Comparison } from '../queries.ts';
import { describeChange } from './describe-change.ts';
import classes from './patch-view.module.css';

/** What differs between two sets of rules: what it means first, then line by line. */
export function PatchView({
  comparison: { files, patch, changes, faulty },
}: {
  readonly comparison: Comparison;
}) {
  if (files.length === 0) return <Text size="sm">They are the same.</Text>;
  return (
    <Stack gap="sm">
      {changes !== null && changes.length === 0 && (
        <Text size="sm">Only texts differ: nothing that decides, and nothing that is told of it.</Text>
      )}
      {changes !== null && changes.length > 0 && (
        <List size="sm" spacing={4} aria-label="What changes">
          {changes.map((change) => (
            <List.Item key={`${change.subject} ${change.id} ${change.change}`}>
              <Group gap="xs">
                <Text span size="sm" fw={600}>
                  {change.subject} {change.id}
                </Text>
                <Badge size="sm" color={change.decides ? 'indigo' : 'gray'}>
                  {change.decides ? change.change : `${change.change}, decides nothing`}
                </Badge>
              </Group>
              {describeChange(change).map((line) => (
                <Dimmed key={line} size="sm">
                  {line}
                </Dimmed>
              ))}
            </List.Item>
          ))}
        </List>
      )}
      {faulty.length > 0 && (
        <Dimmed size="sm">
          What it means cannot be told: lint would refuse the {faulty.join(' and the ')} side today.
        </Dimmed>
      )}
      <details className={classes.lines}>
        <summary>Line by line, in {files.map(({ file }) => file).join(', ')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
        <pre className={classes.patch} tabIndex={0}>
          {linesOf(patch).map(({ key, text, kind }) => (
            <span key={key} className={`${classes.line} ${kind === undefined ? '' : classes[kind]}`}>
              {text}
            </span>
          ))}
        </pre>
      </details>
    </Stack>
  );
}

const KINDS: Readonly<Record<string, 'added' | 'removed' | 'place'>> = {
  '+': 'added',
  '-': 'removed',
  '@': 'place',
};

/** Lines may repeat, so the key has their place too. */
function linesOf(patch: string) {
  return patch
    .split('\n')
    .slice(0, -1)
    .map((text, place) => ({ key: `${place} ${text}`, text, kind: KINDS[text[0] ?? ''] }));
}
