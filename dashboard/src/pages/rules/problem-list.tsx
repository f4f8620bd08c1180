import { Badge, Code, Group, Text, UnstyledButton } from '@mantine/core';
import { Dimmed } from '../../ui/dimmed.tsx';
import classes from './problem-list.module.css';
import type { Problem } from './queries.ts';

interface Props {
  readonly problems: readonly Problem[];
  readonly onOpen: (problem: Problem) => void;
}

/** The problems that lint found, errors first; each leads to its place. */
export function ProblemList({ problems, onOpen }: Props) {
  if (problems.length === 0) return null;
  const sorted = problems.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'));
  return (
    <ul className={classes.list} aria-label="What lint says">
      {sorted.map((problem) => {
        const { file, line, column, code, severity, message, hint } = problem;
        return (
          <li key={`${file}:${line}:${column}:${code}:${message}`}>
            <UnstyledButton className={classes.item} onClick={() => onOpen(problem)}>
              <Group gap="xs">
                <Badge size="sm" color={severity === 'error' ? 'red' : 'yellow'}>
                  {severity}
                </Badge>
                <Dimmed>{`${file}:${line}`}</Dimmed>
                <Code fz="xs">{code}</Code>
              </Group>
              <Text size="sm">
                {message}
                {hint !== null && ` Did you mean "${hint}"?`}
              </Text>
            </UnstyledButton>
          </li>
        );
      })}
    </ul>
  );
}
