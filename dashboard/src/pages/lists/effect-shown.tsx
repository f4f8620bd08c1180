import { Alert, Badge, Group, List, Stack, Text } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import type { ListEffect } from '../../api/lists.ts';
import { formatCount, formatCounted, formatShare } from '../../format/numbers.ts';
import { checkOfAnyAccount } from '../../scope.ts';
import { TallLink } from '../../ui/account-link.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { LabelBadge } from '../../ui/label-badge.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { totalOf } from '../rules/effect/counts.ts';

type Way = keyof ListEffect['flips'];
type Flips = ListEffect['flips'][Way];

const WAYS: Readonly<Record<Way, string>> = {
  to_allow: 'from BLOCK to ALLOW',
  to_block: 'from ALLOW to BLOCK',
};
/** The share of the checks from which a warning is shown: the change is not about a few people. */
const MUCH = 0.05;

/** What a change of lists would have done to the checks on record. */
export function EffectShown({ effect }: { readonly effect: ListEffect }) {
  const { checks, touched, days, flips } = effect;
  const share = checks === 0 ? 0 : touched / checks;
  const turned = totalOf(flips.to_allow.counts) + totalOf(flips.to_block.counts);
  return (
    <Stack gap="xs" role="group" aria-label="Effect">
      <Text size="sm">
        {checks === 0
          ? `There is no live check of the last ${days} days that would show what it does.`
          : `${touched === 0 ? 'None' : formatCount(touched)} of ${formatCounted(checks, 'check')} of the last ${days} days ${touched === 1 ? 'is' : 'are'} touched.`}
      </Text>
      {share >= MUCH && (
        <Alert color="orange" role="note" title={`That is ${formatShare(share)} of all checks`}>
          A change of a list that touches so many is seldom meant. Look whether a narrower one would do.
        </Alert>
      )}
      {touched > 0 && turned === 0 && (
        <Text size="sm">No decision flips: all of them would be answered as the rules in force answer.</Text>
      )}
      <OneWay way="to_allow" flips={flips.to_allow} />
      <OneWay way="to_block" flips={flips.to_block} />
      <Caveats effect={effect} />
    </Stack>
  );
}

function OneWay({ way, flips }: { readonly way: Way; readonly flips: Flips }) {
  const total = totalOf(flips.counts);
  if (total === 0) return null;
  const { good, bad } = flips.counts;
  const labelled = [good > 0 && `${formatCount(good)} good`, bad > 0 && `${formatCount(bad)} bad`].filter(
    (part) => part !== false,
  );
  return (
    <div>
      <Group gap={6}>
        <IconArrowsExchange size={16} aria-hidden />
        <Text size="sm" fw={600}>
          {`${formatCounted(total, 'decision flips', 'decisions flip')} ${WAYS[way]}`}
        </Text>
        {labelled.length > 0 && <Text size="sm">{`(labelled: ${labelled.join(', ')})`}</Text>}
      </Group>
      <List size="sm" listStyleType="none" aria-label={`The newest of them, ${WAYS[way]}`}>
        {flips.examples.map(({ id, domain, score, label, created_at }) => (
          <List.Item key={id}>
            <Group gap="xs">
              {/* The effect covers the checks of all accounts. */}
              <TallLink href={checkOfAnyAccount(id)} target="_blank" rel="noreferrer">
                {domain === null ? id : `…@${domain}`}
              </TallLink>
              <span>{scoreText(score)}</span>
              <RelativeTime at={created_at} />
              {label !== null && <LabelBadge label={label} />}
            </Group>
          </List.Item>
        ))}
        {total > flips.examples.length && (
          <List.Item>
            <Badge variant="default">{`and ${formatCount(total - flips.examples.length)} older`}</Badge>
          </List.Item>
        )}
      </List>
    </div>
  );
}

function Caveats({ effect: { checks, of, without_domain, unseen } }: { readonly effect: ListEffect }) {
  const sentences = [
    of > checks && `Looked at were the newest ${formatCount(checks)} of ${formatCount(of)}.`,
    without_domain > 0 &&
      `${formatCount(without_domain)} records hold no domain (privacy.store_addresses: none), so nothing is known of them.`,
    unseen.length > 0 &&
      `Records hold the normalized domain: what was typed at ${unseen.join(', ')} is not counted here.`,
  ].filter((sentence) => sentence !== false);
  if (sentences.length === 0) return null;
  return <Dimmed>{sentences.join(' ')}</Dimmed>;
}

function scoreText({ base, candidate }: { readonly base: number; readonly candidate: number }): string {
  return base === candidate ? `score ${base}` : `score ${base} → ${candidate}`;
}
