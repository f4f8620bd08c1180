import { Accordion, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { formatCount } from '../../../format/numbers.ts';
import { checkOfAnyAccount } from '../../../scope.ts';
import { AccountLink } from '../../../ui/account-link.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import type { Replay } from '../queries.ts';
import { describeCounts, totalOf } from './counts.ts';
import classes from './flips.module.css';
import { LedgerComparison } from './ledger-comparison.tsx';

type Side = Replay['flips']['to_block'];
type Example = Side['examples'][number];

/** Checks whose action would change, grouped by the reason. */
export function Flips({ replay: { flips } }: { readonly replay: Replay }) {
  if (totalOf(flips.to_block.counts) + totalOf(flips.to_allow.counts) === 0) {
    return (
      <EmptyState icon={IconArrowsExchange} title="Nothing flips">
        Every check on record would be let in or blocked as by the rules in force; scores and levels may still
        change. Move a line, or change the points of a rule, and the checks whose action changes are listed
        here with the reason.
      </EmptyState>
    );
  }
  return (
    <Stack gap="lg">
      <OneWay title="Newly blocked" side={flips.to_block} />
      <OneWay title="Newly let in" side={flips.to_allow} />
    </Stack>
  );
}

function OneWay({ title, side }: { readonly title: string; readonly side: Side }) {
  const total = totalOf(side.counts);
  if (total === 0) return null;
  return (
    <section>
      <Title order={3}>
        {title}: {formatCount(total)}
      </Title>
      <Dimmed size="sm" mb="xs">
        {describeCounts(side.counts, formatCount)}
      </Dimmed>
      <Accordion variant="separated" multiple>
        {side.reasons.map(({ parts, counts }, reason) => {
          const examples = side.examples.filter((example) => example.reason === reason);
          return (
            <Accordion.Item key={parts.join()} value={`reason-${reason}`}>
              <Accordion.Control>
                <Group gap="xs" justify="space-between" wrap="nowrap">
                  <Text size="sm">{parts.join(', ')}</Text>
                  <Badge color="gray">{formatCount(totalOf(counts))}</Badge>
                </Group>
              </Accordion.Control>
              <Accordion.Panel>
                <Dimmed mb="xs">
                  {describeCounts(counts, formatCount)}
                  {examples.length < totalOf(counts) && `; ${examples.length} of them shown`}
                </Dimmed>
                <Stack gap="sm">
                  {examples.map((example) => (
                    <ExampleOf key={example.id} example={example} />
                  ))}
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </section>
  );
}

function ExampleOf({ example }: { readonly example: Example }) {
  const { id, created_at, domain, label, score, ledger } = example;
  return (
    <div className={classes.example}>
      <Group gap="xs">
        <AccountLink href={checkOfAnyAccount(id)} className={classes.id}>
          {domain ?? id}
        </AccountLink>
        {label !== null && (
          <Badge size="sm" color={label === 'good' ? 'teal' : 'orange'}>
            {label}
          </Badge>
        )}
        <Dimmed>
          score {score.base} → {score.candidate}
        </Dimmed>
        <Dimmed>
          <RelativeTime at={created_at} />
        </Dimmed>
      </Group>
      <details>
        <summary>Both ledgers</summary>
        <LedgerComparison ledger={ledger} score={score} />
      </details>
    </div>
  );
}
