import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WholeCheck } from '../../api/checks.ts';
import { formatMicroseconds } from '../../format/numbers.ts';
import { formatInstant } from '../../format/times.ts';
import { TextLink } from '../../ui/account-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ActionBadge, LevelBadge } from '../../ui/verdict-badge.tsx';
import { useSearchOfChecks } from '../checks/check-filters.ts';
import { pseudonymOf } from '../checks/pseudonym.tsx';
import classes from './check.module.css';
import { LabelButtons } from './label-buttons.tsx';

export function CheckHead({ check }: { readonly check: WholeCheck }) {
  const searchOf = useSearchOfChecks();
  const { action, risk_score, risk_level, id, created_at, key, key_id, environment, ruleset, person } = check;
  return (
    <Paper component="section" aria-label="In short" className={classes.head}>
      <Group justify="space-between" gap="md" align="flex-start">
        <Group gap="sm">
          <ActionBadge action={action} />
          <Text fw={600} fz="lg">{`Score ${risk_score}`}</Text>
          <LevelBadge level={risk_level} />
        </Group>
        <LabelButtons check={check} />
      </Group>
      <dl className={classes.facts}>
        <Fact name="Id">
          <Group gap={4} wrap="nowrap">
            <Code className={classes.id}>{id}</Code>
            <CopyButton value={id} label="Copy the id" />
          </Group>
        </Fact>
        <Fact name="When">
          {formatInstant(created_at)} (<RelativeTime at={created_at} />)
        </Fact>
        <Fact name="Key">
          {key ? (key.name ?? `${key.prefix}…`) : key_id}
          {environment === 'test' && ', a test key: it counts in no figure'}
        </Fact>
        <Fact name="Rule set">
          <Stack gap={0}>
            <Code>{ruleset}</Code>
            <Dimmed>
              {check.ruleset_version === null
                ? 'of no version on record'
                : `version ${check.ruleset_version}`}
            </Dimmed>
          </Stack>
        </Fact>
        <Fact name="Decided in">{formatMicroseconds(check.duration_us)}</Fact>
        {person !== null && (
          <Fact name="The same address">
            <Group gap="xs">
              <Code>{pseudonymOf(person)}</Code>
              <TextLink href={searchOf({ person })}>All its checks</TextLink>
            </Group>
          </Fact>
        )}
        {check.challenger !== null && (
          <Fact name="Challenger">
            {`${check.challenger.action}, score ${check.challenger.risk_score}, ${check.challenger.risk_level}; not sent to the caller`}
          </Fact>
        )}
      </dl>
    </Paper>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
